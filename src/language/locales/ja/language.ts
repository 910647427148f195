import type { Language } from '../../language.js';
import { answers } from './answers.js';
import { questions } from './questions.js';
import { words } from './words.js';

export const japanese: Language = { code: 'ja', script: 'kana', words, questions, answers };
