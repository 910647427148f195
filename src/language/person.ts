import type { Role } from '../model/conversation.js';

/**
 * Whose words a question is about: "what did you suggest" asks for the assistant's, "did I mention my …" for the
 * user's. Undefined when it does not say.
 */
export function personAsked(query: string): Role | undefined {
  if (assistantAsked.test(query) || adviceAsked.test(query)) return 'assistant';
  return userAsked.test(query) ? 'user' : undefined;
}

/**
 * Whether a question asks for something the assistant said. "Do you know where I parked?" is put to the assistant and
 * asks for the user's words.
 */
export function asksForReply(query: string): boolean {
  return replyAsked.test(query);
}

const said =
  'said|say|told|tell|suggest\\w*|recommend\\w*|mention\\w*|provid\\w*|gave|give|list\\w*|describ\\w*|explain\\w*|propos\\w*|wrote|write|advis\\w*';

/** The assistant's words, named as such. */
const replies = [
  `\\byour (?:suggestion|recommendation|answer|advice|list|explanation|reply)s?\\b`,
  `\\bdein(?:e|en|er)? (?:vorschl|antwort|rat)`,
  `\\btu (?:as|avais) (?:dit|suggéré|recommandé|proposé)`,
  `\\b(?:dijiste|sugeriste|recomendaste|mencionaste|aconsejaste|propusiste|explicaste|me habías)\\b`,
  `(?:ти (?:казав|казала|радив|радила|пропонував|пропонувала|згадував|згадувала))`,
  `你(?:说|建议|推荐|提到|告诉|教|给我)`,
  `(?:勧め|薦め|おすすめ|提案)(?:て|し|の|は|を)|あなたが`,
  `(?<!\\p{L})(?:نصحت|اقترحت|أوصيت|اوصيت|ذكرت|شرحت)(?:ني|نا|ه|ها)?(?!\\p{L})`,
];

const assistantAsked = new RegExp(
  [
    `\\b(?:did|have|had|do) you\\b`,
    `\\byou(?:'ve| have| had)? (?:${said})\\b`,
    `\\bremind me what you\\b`,
    `\\b(?:hast|hattest) du\\b`,
    `\\b(?:as-tu|avais-tu)`,
    ...replies,
  ].join('|'),
  'iu',
);

const replyAsked = new RegExp(
  [
    `\\b(?:did|have|had) you (?:ever |already |just )?(?:${said}|answer\\w*|call\\w*|name\\w*|warn\\w*|teach|taught)\\b`,
    // "Can you tell me where I live" asks for no words of the assistant's; only what it said in the past is meant.
    `\\byou(?:'ve| have| had)? (?:said|told|suggested|recommended|mentioned|provided|gave|listed|described|explained|proposed|wrote|advised)\\b`,
    `\\b(?:hast|hattest) du\\b.{0,80}\\b(?:gesagt|empfohlen|vorgeschlagen|geraten|erwähnt|genannt|erklärt|geschrieben|geantwortet)`,
    `\\b(?:as-tu|avais-tu|m'as-tu)\\b.{0,40}(?:dit|suggéré|recommandé|proposé|conseillé|expliqué)`,
    ...replies,
  ].join('|'),
  'iu',
);

/** How something is done is what an assistant is asked for, also when it is done by me: "how can I mend it". */
const adviceAsked = new RegExp(
  [
    `\\bhow (?:can|do|should|could|to)\\b`,
    `(?<!\\p{L})(?:wie (?:kann|könnte|soll|sollte|bekomme|mache|lässt|muss|geht|vermeide|verhindere)|womit|wodurch)(?!\\p{L})`,
    `(?<!\\p{L})comment (?!s['’]appel|t['’]appel|se nomme|se prénomme|va |vas )`,
    `(?<!\\p{L})cómo (?!se llama|te llama|está|estás)`,
    `(?<!\\p{L})як (?!звати|звуть|назива|довго|часто|далеко)`,
    `怎么(?!样|会)|怎样|如何`,
    `どうすれば|どうやって|どうすると|どうする|方法|べき`,
    `(?<!\\p{L})كيف(?!\\p{L})`,
  ].join('|'),
  'iu',
);

const userAsked = new RegExp(
  [
    `(?<![\\p{L}])(?:i|my|mine|me|myself|i'm|i've|i'd)(?![\\p{L}])`,
    `(?<![\\p{L}])(?:ich|mein(?:e|em|en|er|es)?|mir|mich)(?![\\p{L}])`,
    `(?<![\\p{L}])(?:je|j'|mon|ma|mes|moi)(?![\\p{L}])`,
    `(?<![\\p{L}])(?:yo|mi|mis|mí|conmigo)(?![\\p{L}])`,
    `(?<![\\p{L}])(?:я|мій|моя|моє|мої|мені|мене)(?![\\p{L}])`,
    `我`,
    `私|僕|俺|わたし`,
    `(?<!\\p{L})(?:أنا|عندي|لدي|لي)(?!\\p{L})`,
  ].join('|'),
  'iu',
);
