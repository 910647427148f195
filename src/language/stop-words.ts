import { queryTerms } from './terms.js';

/**
 * Words that say how something is asked rather than what about. They stay in the index, so that a text made of them
 * can still be found, and leave a query that has anything better.
 */
const functionWords = `
a an the this that these those there here it its itself i me my mine myself we us our ours ourselves you your yours
yourself he him his she her hers they them their theirs who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having will would shall should can could may might
must ought let lets got get gets getting go goes going gone went
and or but nor so yet if then else than because as until while of at by for with about against between into through
during before after above below to from up down in out on off over under again further once
all any both each few more most other some such no not only own same too very just also ever even still already
really actually maybe perhaps please thanks thank hi hello hey okay ok yes yeah
tell told say said says saying talk talked talking mention mentioned discuss discussed remember remind know knew think
thought want wanted like need give gave make made take took come came see saw look looked find found use used
something anything everything nothing thing things stuff someone anyone everyone one ones lot lots kind sort type way
much many long often usually currently now today recently previous previously earlier last ago time times
conversation chat question answer going able
im ive id ill youre youve dont doesnt didnt isnt arent wasnt werent wont cant couldnt wouldnt shouldnt whats
der die das ein eine und oder aber ist sind war ich du er sie es wir ihr mein dein was wann wo wie warum mit von zu für
le la les un une et ou est je tu il elle nous vous mon ton que qui quand où comment pourquoi avec de du des pour dans
el los las una y o es yo tú él ella mi su qué cuándo dónde cómo por con del para en
і й та або але що це я ти він вона ми ви мій як коли де чому з на до у в
`;

const stopTerms = new Set(functionWords.split(/\s+/).flatMap((word) => queryTerms(word)));

/** The terms worth looking for: all of them when nothing but function words was asked. */
export function contentTerms(query: string): string[] {
  const terms = queryTerms(query);
  const content = terms.filter((term) => !stopTerms.has(term));
  return content.length > 0 ? content : terms;
}
