import type { Language } from '../../language.js';
import { answers } from './answers.js';
import { facts } from './facts.js';
import { questions } from './questions.js';
import { time } from './time.js';
import { words } from './words.js';

export const chinese: Language = { code: 'zh', script: 'han', words, time, questions, answers, facts };
