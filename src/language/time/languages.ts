import { chinese } from './chinese.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import type { TimeLanguage } from './language.js';
import { numeric } from './numeric.js';
import { spanish } from './spanish.js';
import { ukrainian } from './ukrainian.js';

/** A question's language is not known, so all of its script are tried. A new language is a file and a word here. */
export const timeLanguages: readonly TimeLanguage[] = [english, german, french, spanish, ukrainian, chinese, numeric];
