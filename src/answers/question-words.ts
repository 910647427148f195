/** How a language asks. Expressions over the lower-case question; a language without a word for something leaves it out. */
export interface QuestionWords {
  where: RegExp;
  who: RegExp;
  howMany: RegExp;
  why: RegExp;
  yesNo: RegExp;
  /** More than one thing is wanted. */
  list?: RegExp;
  /** What was so before and may not be so any more. */
  past: RegExp;
  /** Something that happened, whenever: newer is not truer. */
  event: RegExp;
}

const english: QuestionWords = {
  where: /\bwhere\b|\b(?:what|which) (?:city|country|town|place|state|address|street|region|continent)\b/u,
  who: /\b(?:who|whom|whose|who's)\b|\b(?:what|which) (?:person|friend|colleague)\b/u,
  howMany:
    /\bhow (?:many|much|often|old|long|far|tall|big|large|heavy|fast)\b|\bwhat (?:number|percentage|price|age)\b/u,
  why: /\bwhy\b|\bwhat (?:reason|motivated|made)\b|\bhow come\b/u,
  yesNo:
    /^(?:(?:and|so|but|well|hey|ok|okay),? )*(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|should|may|might|isn't|aren't|wasn't|don't|doesn't|didn't|haven't|hasn't)\b/u,
  list: /\b(?:what|which)(?: \p{L}+){0,2} (?:are|were|have|has)\b|\b(?:list|name) (?:all|the|every|my|some)\b|\ball (?:the|my|of|his|her|their)\b|\bwhat (?:kinds?|sorts?|types?) of\b|\b(?:what|which) (?:\p{L}+ )?(?!is\b|was\b|does\b|has\b)\p{L}{3,}s (?:do|does|did|has|have|is|are|was|were)\b/u,
  past: /\bused to\b|\b(?:previous|former|original|past|earlier)(?:ly)?\b|\bin the past\b|\b(?:my|his|her|their|the|'s) (?:old|first|last)\b(?! (?:names?|languages?)\b)|\bdid .*\bbefore\b/u,
  event: /\b(?:did|was|were|had|happened|ago)\b/u,
};

const german: QuestionWords = {
  where: /(?<!\p{L})(?:wo|wohin|woher)(?!\p{L})|in welche[rmns]? (?:stadt|land)/u,
  who: /(?<!\p{L})(?:wer|wen|wem|wessen)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:wie ?viele?[rn]?|wie (?:oft|lange|alt|weit|groß|teuer|schwer))(?!\p{L})/u,
  why: /(?<!\p{L})(?:warum|wieso|weshalb)(?!\p{L})/u,
  yesNo:
    /^(?:ist|sind|war|waren|bin|bist|habe|hast|hat|haben|hatte|kann|kannst|wird|werde|soll|sollte|mag|magst|gibt)(?!\p{L})/u,
  list: /(?<!\p{L})(?:welche)(?!\p{L}).*(?<!\p{L})(?:sind|habe|haben|waren)(?!\p{L})/u,
  past: /(?<!\p{L})(?:früher|vorher|damals|ehemalige?[rnms]?|alte[rnms]?(?= \p{L})|erste[rnms]?)(?!\p{L})/u,
  event: /(?<!\p{L})(?:war|waren|hatte|wurde|hat|habe|hast|haben)(?!\p{L})/u,
};

const french: QuestionWords = {
  where: /(?<!\p{L})(?:où|dans quelle (?:ville|rue))(?!\p{L})/u,
  who: /(?<!\p{L})(?:qui|à qui|de qui)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:combien|quel âge)(?!\p{L})/u,
  why: /(?<!\p{L})pourquoi(?!\p{L})/u,
  yesNo: /^(?:est-ce que|est-ce qu'|as-tu|ai-je|suis-je|es-tu|avons-nous|a-t-)/u,
  list: /(?<!\p{L})(?:quels|quelles)(?!\p{L})/u,
  past: /(?<!\p{L})(?:avant|auparavant|ancien(?:ne)?s?|autrefois)(?!\p{L})/u,
  event:
    /(?<!\p{L})(?:étai[st]|avai[st]|habitais|vivais|travaillais|ai-je|as-tu|avons-nous|a-t-il|a-t-elle|j'ai)(?!\p{L})/u,
};

const spanish: QuestionWords = {
  where: /(?<!\p{L})(?:a?dónde|en qué (?:ciudad|país|calle))(?!\p{L})/u,
  who: /(?<!\p{L})(?:quién|quiénes)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:cuánt[oa]s?|qué edad)(?!\p{L})/u,
  why: /(?<!\p{L})por qué(?!\p{L})/u,
  yesNo: /^¿?(?:es|son|era|está|estoy|soy|he|has|ha|tengo|tienes|tiene|puedo|puedes|hay)(?!\p{L})/u,
  list: /(?<!\p{L})(?:cuáles)(?!\p{L})/u,
  past: /(?<!\p{L})(?:antes|anterior(?:es)?|antigu[oa]s?|solía)(?!\p{L})/u,
  event:
    /(?<!\p{L})(?:era|vivía|trabajaba|estaba|tenía|dije|dijo|pasó|hicimos|hablamos|fue|fui|fuiste|estuve|había|hice|hizo)(?!\p{L})/u,
};

const ukrainian: QuestionWords = {
  where: /(?<!\p{L})(?:де|куди|звідки|в якому місті)(?!\p{L})/u,
  who: /(?<!\p{L})(?:хто|кого|кому|ким|чий|чия|чиє)(?!\p{L})/u,
  howMany: /(?<!\p{L})скільки(?!\p{L})/u,
  why: /(?<!\p{L})(?:чому|навіщо)(?!\p{L})/u,
  yesNo: /^чи(?!\p{L})/u,
  list: /(?<!\p{L})(?:які)(?!\p{L})/u,
  past: /(?<!\p{L})(?:раніше|колишн\p{L}+|попередн\p{L}+)(?!\p{L})/u,
  event: /\p{L}{2,}(?:в|ла|ло|ли)(?!\p{L})/u,
};

const chinese: QuestionWords = {
  where: /哪里|哪儿|在哪|什么地方|哪个城市/u,
  who: /谁/u,
  howMany: /多少|几[个次岁天只台本]|多久|多大/u,
  why: /为什么|为何/u,
  yesNo: /吗[？?]?$|是否|有没有/u,
  list: /哪些/u,
  past: /以前|之前|曾经|过去/u,
  event: /了|过/u,
};

/** A question's language is not known, so all of them are tried. A new language is an entry here. */
export const questionLanguages: readonly QuestionWords[] = [english, german, french, spanish, ukrainian, chinese];
