import { languageOf } from './language-of.js';
import { queryTerms } from './terms.js';

/**
 * English verbs whose forms have no stem in common, the form that a question has ("did I buy") first. Those that are
 * function words anyway (go, get, take …) and forms that are other words more often (rose, saw, bit) are left out.
 */
const verbs = `
bend bent|bite bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed|feel felt|fight fought|fly flew flown|forget forgot forgotten|freeze froze frozen|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|meet met
pay paid|ride rode ridden|ring rang rung|run ran|sell sold|send sent|shake shook shaken|shoot shot|sing sang sung
sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|spill spilt|stand stood|steal stole stolen|stick stuck
strike struck|sweep swept|swim swam swum|teach taught|tear tore torn|throw threw thrown|understand understood
wake woke woken|wear wore worn|win won|write wrote written`;

/** A word of the question, and the terms of its other forms. */
export interface VerbForms {
  word: string;
  others: readonly string[];
}

const known = new Map<string, VerbForms>();
for (const verb of verbs.trim().split(/[|\n]/)) {
  const words = verb.split(' ');
  for (const word of words) {
    const others = words.filter((other) => other !== word).flatMap((other) => queryTerms(other, 'en'));
    for (const term of queryTerms(word, 'en')) known.set(term, { word, others });
  }
}

/** The other forms of the irregular verbs in an English query, by their terms: who asks what I buy finds what I bought. */
export function verbFormsOf(query: string, terms: readonly string[]): Map<string, VerbForms> {
  if (languageOf(query) !== 'en') return new Map();
  return new Map(
    terms.flatMap((term): [string, VerbForms][] => {
      const forms = known.get(term);
      return forms === undefined ? [] : [[term, forms]];
    }),
  );
}
