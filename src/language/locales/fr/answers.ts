import type { AnswerWords } from '../../language.js';

export const answers: AnswerWords = {
  phrases: {
    you: 'vous',
    assistant: 'assistant',
    perhaps: (answer) => `Peut-être : ${answer}`,
    unclear: 'Pas de réponse claire.',
    nearest: 'Ce qui s’en approche le plus :',
    notFound: 'La mémoire ne contient pas de réponse à cette question.',
    before: 'Avant',
    saidOn: (day) => `dit le ${day}`,
  },
  quantities: 'deux|trois|quatre|cinq|six|sept|huit|neuf|dix',
  placeLeads: 'à|au|dans|chez|sur',
  people: 'je|nous|il|elle',
  bareReplies: 'oui|non|exactement',
  acknowledgements: 'bravo parfait merci noté génial belle beau bien',
  whatever: 'qu est ce dit parlé raconté mentionné fait faire passé ai avons',
  termNames: { femme: 'wife', mari: 'husband', chien: 'dog', chat: 'cat', couleur: 'color', livr: 'book' },
  asks: {
    name: ["comment (?:est-ce que )?je m'appelle|quel est mon (?:pré)?nom"],
    location: ["où (?:est-ce que )?(?:j'habite|je vis|j'habitais)|où habit(?:é|e)-je"],
    employer: ['où (?:est-ce que )?je travaille|pour qui (?:est-ce que )?je travaille'],
    role: ['quel est mon (?:métier|travail)|que fais-je dans la vie'],
    birthday: ['quand est mon anniversaire|quand suis-je née?'],
    relation: ["comment s'appelle (?:ma|mon) (?<x>\\p{L}+)"],
    favourite: ['quel(?:le)? est (?:ma|mon) (?<x>\\p{L}+) préférée?'],
  },
};
