import {
  type AnswerWords,
  type Language,
  type QuestionWords,
  type TenseWords,
  type TimeWords,
  type Words,
  withoutEnding,
} from '../../language.js';
import { facts } from './facts.js';

const ofYear = '(?: de| en|,)? (?:{year}|{yearWord})';

/** German "hier" (here) is spelled like French "hier" (yesterday), so French words must be nearby. */
const frenchWord =
  "(?:\\b(?:je|tu|il|elle|nous|vous|est|et|le|les|la|que|une|pas|avec|pour|dans|sur)\\b|\\b[jlcdnsq]')";
const hier = `d'hier|hier(?: soir| matin| apres-midi)|hier(?:(?<=${frenchWord}[^]{0,60})|(?=[^]{0,60}${frenchWord}))`;

const tense: TenseWords = {
  coming:
    '(?:est|sont|sera|seront) (?:\\p{L}+ )?(?:prévu|fixé|réservé|programmé|annoncé)e?s?|vais|vas|va|allons|allez|vont|\\p{L}{2,}(?:erai|eras|era|erons|erez|eront|ira|iront|irai|drai|dra|dront)|aurai|aura|aurons|auront|est|sont|suis|sommes|pars|part|partons|partent|commence|commencent|finit|ouvre|ferme|arrive|arrivons|prochaine?s?|dois|doit|devons|veux|veut',
  past: '(?:ai|as|a|avons|avez|ont) (?:(?:déjà|bien|pas|tout|enfin|aussi|récemment|jamais|encore) )?\\p{L}+(?:é|ée|és|ées|i|u|ue|us|is|it|ert)|(?:suis|es|est|sommes|êtes|sont) (?:(?:déjà|bien|pas|tous|enfin|aussi|récemment) )?(?:allé|venu|parti|arrivé|né|mort|rentré|sorti|monté|tombé|resté|devenu|passé|revenu)e?s?|étai(?:t|ent|s)|étions|avai(?:t|ent|s)|avions|\\p{L}{3,}(?:aient|ait)|fut|hier|autrefois',
  again: "chaque|tous les|toutes les|toujours|souvent|d'habitude|habituellement|généralement",
  everyOne: 'le|les',
  aim: 'pour(?: le)?',
};

export const time: TimeWords = {
  months: [
    'janvier|janv\\.?',
    'fevrier|fevr?\\.?',
    'mars',
    'avril|avr\\.?',
    'mai',
    'juin',
    'juillet|juil\\.?',
    'aout',
    'septembre|sept\\.?',
    'octobre|oct\\.?',
    'novembre|nov\\.?',
    'decembre|dec\\.?',
  ],
  weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  seasons: ['printemps', 'ete', 'automne', 'hiver'],
  quarters: ['1er|premier', '2e|2eme|deuxieme|second', '3e|3eme|troisieme', '4e|4eme|quatrieme'],
  units: {
    day: 'jours?',
    week: 'semaines?',
    weekend: 'week-?ends?',
    month: 'mois',
    quarter: 'trimestres?',
    // "An" alone is an English article.
    year: "an(?<=\\b(?:un |l'|cet )an)|ans|annees?",
  },
  numbers: ['une?', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
  few: "quelques|plusieurs|une? couple de|l'autre",
  dayWords: {
    '-2': 'avant-hier',
    '-1': hier,
    '0': "aujourd'hui|ce matin|ce soir|cet apres-midi|cette nuit",
    '1': 'demain',
    '2': 'apres-demain',
  },
  weekWords: {
    '-1': 'la semaine (?:derniere|passee|precedente)',
    '0': 'cette semaine',
    '1': 'la semaine prochaine',
  },
  yearWords: {
    '-1': "l'an (?:dernier|passe)|l'annee (?:derniere|passee|precedente)",
    '0': 'cette annee',
    '1': "l'an prochain|l'annee prochaine",
  },
  careful: 'janv|fevr?|mars|avr|mai|juil|sept|oct|nov|dec',
  prepositions: "(?:en|de|depuis|debut|fin|mois de|avant|apres|mi|courant) |d'|mi-|jusqu'en ",
  seasonPrepositions: "(?:en|au|du|de|depuis le|ce) |l'|d'|cet ",
  phrases: {
    date: [`(?:{weekday},? (?:le )?)?{day}(?:er)? {month}(?:${ofYear})?`],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: en)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, "{yearWord},?(?: en| au| a l')? ?{season}"],
    quarter: [`{quarter} trimestre(?:${ofYear})`, '(?<=\\bau |\\ble |\\bdu ){quarter} trimestre'],
    year: ['{prep}{year}', "(?<=\\bl'annee ){year}"],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekday} (?:de )?{weekWord}', '{weekWord},?(?: le)? {weekday}'],
    beforeLast: ["(?:l')?avant-derni(?:er|ere) {period}"],
    previous: [
      "(?:le |la |l')?{period} (?:dernier|derniere|passee?|precedente?)",
      '(?:le |la )derni(?:er|ere) {period}',
    ],
    current: ['(?:ce|cet|cette) {period}(?:-ci)?'],
    next: ["(?:le |la |l')?{period} prochaine?", '(?:le |la )?prochaine? {period}'],
    ago: ['(?:il )?y a(?: environ| a peu pres| plus de| presque)? {count} {unit}', "(?=l'autre jour){few} {unit}"],
    past: ['(?:les |ces |des )?{count} derni(?:er|ere)s {unit}'],
    ahead: ['dans {count} {unit}'],
  },
  limits: {
    before: "(?:avant|jusqu'en|jusqu'au)(?: le| la| l'| debut| fin| de)? ?",
    after: "apres(?: le| la| l')? ?",
    since: "(?:depuis|a partir de|des)(?: le| la| l'| debut| fin)? ?",
  },
  range: {
    from: '(?:de|du|entre|entre le) ',
    to: "(?:a|au|et|et le|jusqu'en|jusqu'au) ",
    article: 'le',
    ordinal: 'er',
  },
  dates: { lead: 'le', ordinal: 'er' },
  asksWhen:
    /^(?:\p{L}+, |et |c'est |c'était |depuis |jusqu'à )?quand(?!\p{L})(?![^?]*,)|\bquand est-ce|(?:sais|souviens|souvenir|rappelles?|dis-moi|depuis|jusqu'à|était|c'est|demande) quand\b|\bquand\s*\?|\bquel(?:le)?s? (?:est la |était la )?(?:date|jour|mois|année|heure|semaine|saison)|il y a combien de|depuis combien de|combien de (?:temps|jours|semaines|mois|années) (?:s'est|se sont|depuis|entre)/u,
  tense,
};

/** Endings of number, gender and tense, without accents. */
const ending =
  /(?:issements?|issaient|issions|issant|issent|issons|issez|ateurs?|atrices?|ations?|itions?|erions|eraient|erait|erais|erons|eront|erez|erai|eras|ements?|euses?|eurs?|aient|iez|ions|antes?|ants?|ages?|ees?|ent|ait|ais|ons|ez|er|ir|is|it|us?|es?|s|x)$/;

/** A light stem of a word without accents. */
export function stemFrench(word: string): string {
  return withoutEnding(word, ending);
}

export const words: Words = {
  names: {
    inside: 'de la le les du',
    links: { de: 'la' },
    elided: 'd|l',
  },
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

/** What the assistant is called, beside "tu". */
const assistant = "(?:l['’](?:ia(?!\\p{L})|assistant)|le (?:bot|chatbot)|chatgpt|claude|gemini|copilot)";

/** What the assistant did with words. */
const said =
  'dit|suggéré|recommandé|proposé|conseillé|expliqué|indiqué|écrit|cité|calculé|chiffré|mentionné|listé|répondu|donné';

const questions: QuestionWords = {
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
    replies: [
      `(?<!\\p{L})(?:(?:tu (?:m['’]|nous )?|t['’])(?:as|avais) (?:(?:déjà|bien) )?(?:${said})`,
      `(?:as|avais)-tu (?:\\S+ ){0,6}(?:${said})`,
      'tu (?:me |nous )?(?:disais|conseillais|proposais|suggérais|recommandais|chiffrais|prévoyais)',
      `(?:a|avait) (?:${said}) ${assistant}`,
      `(?:selon|d['’]après) (?:toi(?!\\p{L})|${assistant})`,
      `${assistant} (?:m['’]|me |nous )?(?:a|avait) (?:${said})`,
      't(?:on|a|es) (?:conseil|suggestion|recommandation|réponse|proposition|explication)|à ton avis)',
    ].join('|'),
    advice: "(?<!\\p{L})comment (?!s['’]appel|t['’]appel|se nomme|se prénomme|va |vas )",
    user: "(?<![\\p{L}])(?:je|j'|mon|ma|mes|moi)(?![\\p{L}])",
  },
  second:
    /(?:,\s*|\s)et\s+(?=(?:(?:à|de|en|dans|avec|pour|par|depuis|chez|sur)\s+)?(?:qui|que|quoi|quel(?:le)?s?|où|quand|pourquoi|comment|combien|est-ce)(?!\p{L})|qu['’])/iu,
  asking: /(?<!\p{L})(?:qui|que|qu['’]|quoi|quel(?:le)?s?|où|quand|pourquoi|comment|combien|est-ce)(?!\p{L})/iu,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'vous',
    assistant: 'assistant',
    perhaps: (answer) => `Peut-être : ${answer}`,
    yes: 'Oui',
    no: 'Non',
    unclear: 'Pas de réponse claire.',
    nearest: 'Ce qui s’en approche le plus :',
    notFound: 'La mémoire ne contient pas de réponse à cette question.',
    before: 'Avant',
    saidOn: (day) => `dit le ${day}`,
  },
  rejecting: {
    before: "pas|plus|au lieu de|au lieu du|au lieu d'|plutôt que|et non",
    after: "(?:était|c'était|est) (?:faux|une erreur)",
  },
  spans: {
    range: 'du {from} au {to}',
    weekOf: 'la semaine du {}',
    weekendOf: 'le week-end du {}',
    about: 'vers le {}',
    between: 'entre le {from} et le {to}',
  },
  facts: {
    sentences: {
      profile_name: 'Vous vous appelez {}.',
      profile_surname: 'Votre nom de famille est {}.',
      profile_nickname: 'On vous appelle {}.',
      profile_email: 'Votre adresse e-mail est {}.',
      profile_location: 'Votre domicile : {}.',
      profile_origin: 'Votre origine : {}.',
      profile_role: 'Votre métier : {}.',
      profile_employer: 'Vous travaillez chez {}.',
      profile_birthday: 'Votre anniversaire : {}.',
      profile_birth_year: 'Votre année de naissance est {}.',
      profile_identity: 'Vous êtes {}.',
      profile_condition: 'Votre santé : {}.',
      allergic_to: 'Vos allergies : {}.',
      family: 'Votre famille : {}.',
      likes: 'Vous aimez {}.',
      dislikes: 'Vous n’aimez pas : {}.',
      prefers: 'Vous préférez {}.',
      speaks: 'Vous parlez {}.',
      native_language: 'Votre langue maternelle est {}.',
      knows: 'Vous connaissez {}.',
      plays: 'Vous jouez : {}.',
      learning: 'Vous apprenez {}.',
      owns_: 'Vous possédez : {}.',
    },
    nouns:
      'name=nom|surname=nom de famille|nickname=surnom|email=adresse e-mail|location=domicile|origin=origine|role=métier|employer=employeur|birthday=anniversaire|birth year=année de naissance|age=âge|identity=profil|condition=santé|allergic to=allergies|family=famille|wife=femme|husband=mari|spouse=conjoint|partner=partenaire|girlfriend=copine|boyfriend=copain|fiance=fiancé|mother=mère|father=père|mom=maman|mum=maman|dad=papa|boss=chef|manager=responsable|landlord=propriétaire|best friend=meilleur ami|doctor=médecin|therapist=thérapeute|sister=sœur|brother=frère|son=fils|daughter=fille|friend=amis|colleague=collègues|neighbour=voisins|neighbor=voisins|dog=chien|cat=chat|anniversary=anniversaire|likes=goûts|dislikes=aversions|prefers=préférences|habit=habitudes|speaks=langues|native language=langue maternelle|knows=compétences|plays=joue|learning=apprend|studied=études|plans=projets|goal=objectifs|decision=décisions|creator=auteur|command name=commande|project name=nom du projet|deadline=échéance|launch date=date de lancement|uses=outils|known as=nom|relationship=lien|breed=race|takes=médicaments|dose=dose|diet=alimentation|hobby=loisirs|home=logement|measurement=mesures|schedule=horaires|appointment=rendez-vous|event=événements|trip=voyages|price=prix|subscription=abonnements|membership=adhésions|works on=projets|due=échéance|contact=contacts|detail=autres|owns pet=animaux|owns device=appareils|owns vehicle=véhicules|owns car=voiture|owns item=possessions|favorite color=couleur préférée|favorite food=plat préféré|favorite book=livre préféré|favorite movie=film préféré|favorite song=chanson préférée|favorite drink=boisson préférée|favorite sport=sport préféré|favorite band=groupe préféré|recurring topic=sujet récurrent',
    is: '{what} : {}.',
    list: '{what} : {}.',
    of: '{who}, {what} : {}.',
    and: ' et ',
    on: '{} (le {day})',
    saidOn: '{} (dit le {day})',
    before: 'Avant : {}.',
    atThatTime: 'À l’époque : {}.',
    thenAndNow: 'À l’époque comme aujourd’hui : {}.',
    now: 'Maintenant : {}.',
    disagree: 'Des affirmations du même moment se contredisent : {}.',
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
    isHome: ["^est-ce que (?:j'habite|je vis) (?:encore |toujours |maintenant )?(?:à|au|en)"],
    location: ["où (?:est-ce que )?(?:j'habite|je vis|j'habitais)|où habit(?:é|e)-je"],
    isEmployer: ['^est-ce que je travaille (?:encore |toujours |maintenant )?(?:chez|pour)'],
    employer: ['où (?:est-ce que )?je travaille|pour qui (?:est-ce que )?je travaille'],
    role: ['quel est mon (?:métier|travail)|que fais-je dans la vie'],
    birthday: ['quand est mon anniversaire|quand suis-je née?'],
    relation: ["comment s'appelle (?:ma|mon) (?<x>\\p{L}+)"],
    favourite: ['quel(?:le)? est (?:ma|mon) (?<x>\\p{L}+) préférée?'],
  },
};

export const french: Language = { code: 'fr', script: 'latin', words, time, questions, answers, facts };
