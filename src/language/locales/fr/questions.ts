import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
  where: /(?<!\p{L})(?:où|dans quelle (?:ville|rue))(?!\p{L})/u,
  who: /(?<!\p{L})(?:qui|à qui|de qui)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:combien|quel âge)(?!\p{L})/u,
  why: /(?<!\p{L})pourquoi(?!\p{L})/u,
  yesNo: /^(?:est-ce que|est-ce qu'|as-tu|ai-je|suis-je|es-tu|avons-nous|a-t-)/u,
  list: /(?<!\p{L})(?:quels|quelles)(?!\p{L})/u,
  past: /(?<!\p{L})(?:avant|auparavant|ancien(?:ne)?s?|autrefois)(?!\p{L})/u,
  event:
    /(?<!\p{L})(?:étai[st]|avai[st]|habitais|vivais|travaillais|ai-je|as-tu|avons-nous|a-t-il|a-t-elle|j'ai)(?!\p{L})/u,
  number: String.raw`\b(?:combien|quel(?:le)? (?:prix|montant|somme|budget|durée|épaisseur|délai|salaire|distance))\b`,
  person: {
    assistant: '\\b(?:as-tu|avais-tu)',
    replies: '\\btu (?:as|avais) (?:dit|suggéré|recommandé|proposé)',
    reply: "\\b(?:as-tu|avais-tu|m'as-tu)\\b.{0,40}(?:dit|suggéré|recommandé|proposé|conseillé|expliqué)",
    advice: "(?<!\\p{L})comment (?!s['’]appel|t['’]appel|se nomme|se prénomme|va |vas )",
    user: "(?<![\\p{L}])(?:je|j'|mon|ma|mes|moi)(?![\\p{L}])",
  },
};
