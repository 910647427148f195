import type { Language } from '../../language.js';
import { answers } from './answers.js';
import { facts } from './facts.js';
import { questions } from './questions.js';
import { time } from './time.js';
import { words } from './words.js';

export const french: Language = { code: 'fr', script: 'latin', words, time, questions, answers, facts };
