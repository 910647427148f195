import { functionWords } from '../language/function-words.js';
import { languageOf } from '../language/language-of.js';
import type { Hit } from './hit.js';

/**
 * Whether a question names times and nothing else to look for: "What did I say last week?". The words that only ask for
 * whatever was said or happened stand in any text, or in none that answers.
 */
export function asksTimeAlone(question: string, timePhrases: readonly string[]): boolean {
  if (timePhrases.length === 0) return false;
  const rest = timePhrases.reduce((text, phrase) => text.replace(phrase, ' '), question).toLowerCase();
  const language = languageOf(question);
  const small = new Set<string>(functionWords[language]);
  const words = rest.replaceAll('’', "'").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => word.length === 1 || small.has(word) || whatever.has(word) || whateverHan.test(word));
}

const whatever: ReadonlySet<string> = new Set(
  `say said says tell told talk talked talking speak spoke mention mentioned discuss discussed write wrote ask asked do did
   done doing happen happened happening go went going on up qu est ce sagen gesagt sagte erzählt geredet gesprochen
   besprochen erwähnt gemacht getan passiert geschehen los dit parlé raconté mentionné fait faire passé ai avons dije dijo
   dicho hablé hablamos conté contado hice hizo hicimos pasó pasado ocurrió qué сказав сказала казав казала казали говорив
   говорила говорили розповів розповіла робив робила робили зробив зробила сталося відбулося трапилося було що`.split(
    /\s+/,
  ),
);

/** Chinese has no blanks: signs of which nothing but such a question is made. */
const whateverHan = /^[我你您他她们們说說讲講聊谈談做干幹发發生了过過什甚么麼哪些事情在的是有都]+$/u;

/** What was said at the time, in place of what is like the question: the asker's own words, newest first. */
export function saidThen(hits: readonly Hit[], { asksAssistant }: { asksAssistant: boolean }): Hit[] {
  const own = hits.filter(
    ({ role, speaker }) => speaker !== undefined || role === (asksAssistant ? 'assistant' : 'user'),
  );
  const newestFirst = [...own].sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? 1 : -1;
    return one.chunkIndex - other.chunkIndex;
  });
  // None is nearer to the question than another.
  return newestFirst.map((hit) => ({ ...hit, relevance: 1 }));
}
