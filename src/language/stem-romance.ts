/**
 * Light stems of French and Spanish words without accents: the endings of number, gender and tense, and the vowel that
 * Spanish changes under stress (remueve = remover, cuece = cocer). A stem keeps at least four letters.
 */
export function stemFrench(word: string): string {
  return cut(word, frenchEnding);
}

export function stemSpanish(word: string): string {
  return cut(word, spanishEnding).replace(/ue/, 'o').replace(/ie/, 'e');
}

function cut(word: string, ending: RegExp): string {
  if (word.length < 5) return word;
  const stem = word.replace(ending, '');
  return stem.length >= 4 ? stem : word.slice(0, Math.max(4, word.length - 1));
}

const frenchEnding =
  /(?:issements?|issaient|issions|issant|issent|issons|issez|ateurs?|atrices?|ations?|itions?|erions|eraient|erait|erais|erons|eront|erez|erai|eras|ements?|euses?|eurs?|aient|iez|ions|antes?|ants?|ages?|ees?|ent|ait|ais|ons|ez|er|ir|is|it|us?|es?|s|x)$/;

const spanishEnding =
  /(?:amientos?|imientos?|aciones|acion|adoras?|adores|ador|ariamos|eriamos|abamos|aremos|eremos|iremos|ieron|iendo|ando|aban|aron|aste|iste|ados?|adas?|idos?|idas?|arias?|erias?|arian|erian|arla|arlo|erlo|erla|aba|abas|amos|emos|imos|ante|ara|are|ian|ia|ar|er|ir|an|en|as|es|os|a|e|o|s)$/;
