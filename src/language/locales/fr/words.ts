import { withoutEnding } from '../../endings.js';
import type { Words } from '../../language.js';

/** Endings of number, gender and tense, without accents. */
const ending =
  /(?:issements?|issaient|issions|issant|issent|issons|issez|ateurs?|atrices?|ations?|itions?|erions|eraient|erait|erais|erons|eront|erez|erai|eras|ements?|euses?|eurs?|aient|iez|ions|antes?|ants?|ages?|ees?|ent|ait|ais|ons|ez|er|ir|is|it|us?|es?|s|x)$/;

/** A light stem of a word without accents. */
export function stemFrench(word: string): string {
  return withoutEnding(word, ending);
}

export const words: Words = {
  functionWords: `
le la les l un une des du de d et ou mais donc or ni car que qu qui quoi dont où quand comment pourquoi combien quel
quelle quels quelles est-ce ce cet cette ces c ça cela je j tu il elle on nous vous ils elles me m te t se s lui leur leurs
y en moi toi mon ma mes ton ta tes son sa ses notre nos votre vos est es suis sommes êtes sont était étais étaient été être
sera serait ai as a avons avez ont avait avais avaient eu avoir aura fait faut faudrait fallait peut peux puis pouvait
pouvoir doit dois devait devrais devoir va vas vais aller veut veux vouloir voudrais
à au aux dans par pour sur sous avec sans chez vers entre avant après pendant depuis contre comme si ne n pas plus
moins très trop bien aussi encore déjà toujours jamais tout toute tous toutes même autre autres rien quelque quelques
chose dit dis disais conseillé conseillée conseillais recommandé recommandée suggéré suggérée proposé proposée j'ai
`,
  stem: stemFrench,
  otherNames: [
    'mère maman',
    'père papa',
    'grand-mère mamie mémé',
    'grand-père papi pépé',
    'médecin docteur',
    'vélo bicyclette',
    'voiture auto bagnole',
    'enfant gosse',
    'frigo réfrigérateur',
    'télé télévision téléviseur',
  ],
  numbers: String.raw`(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|cents?|mille|moitié|tiers|demie?)(?!\p{L})`,
};
