import type { Language } from '../../language.js';
import { answers } from './answers.js';
import { questions } from './questions.js';
import { words } from './words.js';

export const arabic: Language = { code: 'ar', script: 'arabic', words, questions, answers };
