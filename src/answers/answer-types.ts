import { mentionsTime } from '../language/time/time-intent.js';
import type { QuestionKind } from './question.js';
import { namesIn } from './question.js';

/** Whether a text holds something of the kind that was asked for. Undefined where every text could: why, what, yes or no. */
export function holdsAnswer(kind: QuestionKind, text: string): boolean | undefined {
  switch (kind) {
    case 'when':
      return mentionsTime(text) || /\b(?:19|20)\d\d\b/.test(text);
    case 'how_many':
      return holdsNumber(text);
    case 'where':
      return place.test(text) || namesIn(text).length > 0;
    case 'who':
      return person.test(text) || namesIn(text).length > 0;
    case 'why':
    case 'yes_no':
    case 'what':
      return undefined;
    default:
      return kind satisfies never;
  }
}

export function holdsNumber(text: string): boolean {
  return /\p{N}/u.test(text) || numberWord.test(text);
}

const numberWord =
  /(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|once|twice|couple|several|few|dozen|half|never|every|daily|weekly|ein(?:e[nrm]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|один|одна|два|дві|три|чотири|п'ять|шість|сім|вісім|дев'ять|десять|двічі|тричі)(?!\p{L})|[一二两三四五六七八九十百千]/iu;

/** A preposition of place with something behind it, or a word that is itself a place. */
const place =
  /(?<!\p{L})(?:in|at|on|near|from|to|by|under|behind|inside|beside|next to|bei|im|am|auf|unter|neben|nach|aus|à|au|dans|chez|sur|en|cerca de|sobre|у|в|на|біля|під)\s+\p{L}|在|(?<!\p{L})(?:here|there|home|upstairs|downstairs|abroad|outside|zuhause)(?!\p{L})/iu;

const person =
  /(?<!\p{L})(?:I|we|he|she|they|my|our|mother|father|mom|mum|dad|sister|brother|wife|husband|son|daughter|friend|boss|colleague|teacher|doctor|partner|neighbou?r|uncle|aunt|cousin|grand\p{L}+|ich|wir|er|sie|je|nous|il|elle|yo|nosotros|él|ella|я|ми|він|вона)(?!\p{L})|[我他她]/u;
