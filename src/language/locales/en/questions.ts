import type { QuestionWords } from '../../language.js';

const said =
  'said|say|told|tell|suggest\\w*|recommend\\w*|mention\\w*|provid\\w*|gave|give|list\\w*|describ\\w*|explain\\w*|propos\\w*|wrote|write|advis\\w*';

export const questions: QuestionWords = {
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
  number: [
    String.raw`\bhow (?:much|many|long|far|often|old|big|large|tall|high|fast|heavy|deep|wide)\b`,
    String.raw`\bwhat (?:price|percentage|share|number|amount)\b|\bwhat (?:does|did|do|will|would)\b.{0,80}\b(?:cost|pay|charge)\b`,
  ].join('|'),
  person: {
    assistant: [
      '\\b(?:did|have|had|do) you\\b',
      `\\byou(?:'ve| have| had)? (?:${said})\\b`,
      '\\bremind me what you\\b',
    ].join('|'),
    replies: '\\byour (?:suggestion|recommendation|answer|advice|list|explanation|reply)s?\\b',
    // "Can you tell me where I live" asks for no words of the assistant's; only what it said in the past is meant.
    reply: [
      `\\b(?:did|have|had) you (?:ever |already |just )?(?:${said}|answer\\w*|call\\w*|name\\w*|warn\\w*|teach|taught)\\b`,
      "\\byou(?:'ve| have| had)? (?:said|told|suggested|recommended|mentioned|provided|gave|listed|described|explained|proposed|wrote|advised)\\b",
    ].join('|'),
    advice: '\\bhow (?:can|do|should|could|to)\\b',
    user: "(?<![\\p{L}])(?:i|my|mine|me|myself|i'm|i've|i'd)(?![\\p{L}])",
  },
};
