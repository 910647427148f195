import type { AnswerWords, Language, QuestionWords, TenseWords, TimeWords, Words } from '../../language.js';
import { facts } from './facts.js';

const ofYear = '(?: des)? (?:{year}|{yearWord})';

/** German puts the participle at the end of its clause; the dot in "am 3. März" does not end one. */
const within = '(?:(?:[^.,;!?]|(?<=\\d)\\.){0,80} )?';
const prefixed = '(?:be|ver|er|ent|zer|unter|über)\\p{L}{2,}(?:t|en)';
const tense: TenseWords = {
  coming: `(?:ist|sind|wird|werden) ${within}(?:geplant|gebucht|angesetzt|vorgesehen|terminiert|fällig)|werde|wird|wirst|werden|werdet|geht|beginnt|beginne|startet|endet|öffnet|schließt|findet|kommt|kommen|fahren|fährt|fahre|fliegen|fliegt|fliege|gehen|ziehen|zieht|ziehe|heiraten|läuft|soll|sollen|muss|müssen|möchte|möchten|will|wollen|kann|können|nächste[rnms]?|kommende[rnms]?`,
  past:
    'war|waren|warst|hatten?|wurden?|ging(?:en)?|kam(?:en)?|fuhr(?:en)?|flog(?:en)?|fand(?:en)?|gab(?:en)?|sah(?:en)?|traf(?:en)?|zog(?:en)?|begann(?:en)?|blieb(?:en)?|bekam(?:en)?|starb(?:en)?|lief(?:en)?|(?:mach|kauf|wohn|start|heirat|feier|spiel|besuch|lern|reis|arbeit)e?ten?|gestern|vorgestern|damals' +
    '|(?!geschäft|gericht|gewicht|gebiet|gedicht|gesicht|gelten|gehör|gefällt|gefallen|gewinnen|genießen|geplant|angesetzt|gesamt|gemeinsam|gewiss|geehrt|gespannt|geöffnet|geschlossen)(?:an|ab|auf|aus|ein|um|vor|zurück|weg|los|mit|zu|her|hin|nach|teil|statt|kennen)?ge\\p{L}{2,}(?:t|en)' +
    // Without "ge" the participle is spelled like the present tense, so the verb before or after it decides.
    `|(?:habe?|hast|hat|haben|bin|bist|ist|sind) ${within}(?:${prefixed}|\\p{L}{2,}iert)(?= *(?:$|[.,;!?]))|${prefixed} (?:habe|hat|haben|bin|ist|sind)`,
  again:
    'jede[rnms]?|immer|meistens?|normalerweise|üblicherweise|oft|alle (?:zwei|drei|vier|\\d)|jährlich|wöchentlich|monatlich',
  aim: 'für(?: den)?|auf(?: den)?',
};

export const time: TimeWords = {
  months: [
    'januar|janner|jan\\.?',
    'februar|feber|feb\\.?',
    'marz|maerz',
    'april|apr\\.?',
    'mai',
    'juni',
    'juli',
    'august|aug\\.?',
    'september|sept?\\.?',
    'oktober|okt\\.?',
    'november|nov\\.?',
    'dezember|dez\\.?',
  ],
  weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag|sonnabend', 'sonntag'],
  seasons: ['fruhlings?|fruhjahrs?', 'sommers?', 'herbst(?:es)?', 'winters?'],
  quarters: ['1\\.|ersten?s?', '2\\.|zweiten?s?', '3\\.|dritten?s?', '4\\.|vierten?s?'],
  units: {
    day: 'tag(?:e[ns]?|s)?',
    week: 'wochen?',
    weekend: 'wochenenden?s?',
    month: 'monat(?:e[ns]?|s)?',
    quarter: 'quartal(?:e[ns]?|s)?',
    year: 'jahr(?:e[ns]?|s)?',
  },
  numbers: [
    'eine[rmns]?|ein',
    'zwei',
    'drei',
    'vier',
    'funf',
    'sechs',
    'sieben',
    'acht',
    'neun',
    'zehn',
    'elf',
    'zwolf',
  ],
  few: 'ein paar|einigen?|mehreren?|wenigen',
  dayWords: {
    '-2': 'vorgestern',
    '-1': 'gestern(?: fruh| morgen| mittag| nachmittag| abend| nacht)?|letzte nacht',
    '0': 'heute(?: fruh| morgen| mittag| nachmittag| abend| nacht)?',
    // "Guten Morgen" and "am Morgen" mean the morning, not tomorrow.
    '1': 'morgen(?<!\\b(?:guten|am|jeden|diesen|den|der|einen|nachsten) morgen)(?: fruh| mittag| abend)?',
    '2': 'ubermorgen',
  },
  weekWords: {
    '-2': 'vorletzte[rn]? woche',
    '-1': '(?:letzte|vorige|vergangene)[rn]? woche',
    '0': 'diese[rn]? woche',
    '1': '(?:nachste|kommende)[rn]? woche',
  },
  yearWords: {
    '-2': 'vorletzte[ns]? jahr(?:es)?',
    '-1': '(?:letzte|vorige|vergangene)[nsm]? jahr(?:es)?',
    '0': 'diese[nsm]? jahr(?:es)?',
    '1': '(?:nachste|kommende)[nsm]? jahr(?:es)?',
  },
  careful: 'jan|feb|apr|mai|aug|sept?|okt|nov|dez',
  capitalMonths: { '4': 'Mai' },
  prepositions: '(?:im|in|seit|bis|vom|zum|ab|anfang|mitte|ende|des|vor|nach) ',
  seasonPrepositions: '(?:im|seit dem|wahrend des|des|uber den) ',
  phrases: {
    date: [
      `(?:{weekday},? (?:den |dem )?)?{day}\\.? {month}(?:${ofYear})?`,
      '{prep}{day}\\.{monthNumber}\\.',
      '(?<=\\bam |\\bden |\\bdem ){day}\\.{monthNumber}\\.',
    ],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: im)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, '{yearWord},?(?: im)? {season}'],
    quarter: [`{quarter} quartal(?:${ofYear})`, '{prep}{quarter} quartal'],
    year: ['{prep}{year}', '(?<=\\bjahre? |\\bjahres ){year}'],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekday},? {weekWord}', '{weekWord},?(?: am)? {weekday}'],
    beforeLast: ['vorletzte[rsnm]? {period}'],
    previous: ['(?:letzte|vorige|vergangene)[rsnm]? {period}'],
    current: ['diese[rsnm]? {period}'],
    next: ['(?:nachste|kommende)[rsnm]? {period}'],
    ago: ['vor(?: etwa| ungefahr| rund| gut| knapp| uber)? {count} {unit}', '{count} {unit} her'],
    past: ['(?:letzten|vergangenen) {count} {unit}'],
    ahead: ['in {count} {unit}'],
  },
  limits: {
    before: '(?:vor|bis)(?: dem| den| der| zum| anfang| ende)? ',
    after: 'nach(?: dem| der)? ',
    since: '(?:seit|ab)(?: dem| der| anfang| ende)? ',
  },
  range: { from: '(?:von|vom|zwischen|zwischen dem) ', to: '(?:bis|bis zum|und|und dem) ' },
  dates: { lead: 'am|den' },
  asksWhen:
    /(?<!\p{L}|dann und )wann(?!\p{L})|\bwelche[sm]? (?:genaue[sn]? )?(?:datum|tag|monat|jahr|woche|wochentag|uhrzeit|jahreszeit)|\bwelche[nr] (?:tag|monat|woche)|wie lange (?:ist (?:das|es|\p{L}+(?: \p{L}+)?) )?(?:schon )?her|vor wie (?:vielen?|langer)|wie ?viele? uhr|\bdas datum (?:des|der|von|vom)/u,
  tense,
};

/** The head of a long word: Kellerschlüssel and Kellertür share it. */
function headOf(word: string): string | undefined {
  return word.length >= 6 ? word.slice(0, 5) : undefined;
}

export const words: Words = {
  names: {
    inside: 'von der den und',
    roles: `
kollege kollegin chef chefin nachbar nachbarin freund freundin sohn tochter bruder schwester vater mutter onkel tante oma opa
neffe nichte cousin cousine enkel enkelin schwager schwägerin schwiegermutter schwiegervater patenkind mitbewohner mitbewohnerin vermieter vermieterin trainer trainerin
lehrer lehrerin hausmeister hausmeisterin handwerker mechaniker hund hündin katze kater
`,
    measures: `
gramm kilo kilos kilogramm pfund liter litern milliliter meter metern zentimeter kilometer kilometern euro cent prozent grad watt
minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren stück paar posten schicht schichten
würfel prise tasse tassen glas gläser löffel esslöffel teelöffel becher flasche flaschen dose dosen packung packungen scheibe
scheiben bund zehe zehen handvoll dutzend menge sorte sorten art reihe seite seiten blatt zeile zeilen
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf anfang mitte ende
`,
    // Adjectives by their endings; names that end in the same way are fewer at the beginning of a sentence.
    openers: /^(?:.{2,}(?:e|er|es|en|em)|(?:statt|übers|fürs|ins|ans|laut|je|pro))$/u,
  },
  functionWords: `
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner und oder aber denn sondern ob
ist sind war waren wäre bin bist sein gewesen werden wird wurde wurden würde geworden habe hast hat hatte hatten hätte haben
ich du er sie es wir ihr mich mir dich dir ihn ihm ihnen uns euch sich man mein meine meinen meinem meiner meines dein
deine deinen deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer eure
was wer wen wem wessen wann wo woher wohin wie warum wieso weshalb wozu womit wovon worauf woran wofür wodurch welche
welcher welches welchen welchem mit von vom zu zum zur für auf bei beim nach in im an am aus um über unter vor hinter neben
zwischen durch gegen ohne bis seit während wegen trotz als wenn dass damit weil da dann doch noch schon auch nur sehr
so nicht mehr viel viele vielen wenig muss musste müssen mussten soll sollte sollen sollten kann konnte können konnten darf
durfte dürfen will wollte wollen wollten mag möchte lassen lässt gibt gab geben macht machte machen geht ging gehen kommt kam
hier dort dieser diese dieses diesen diesem jeder jede jedes alle alles etwas nichts mal einmal denn eigentlich bitte
gesagt sagtest meintest nochmal damals wieder vorgeschlagen empfohlen geraten erwähnt erzählt genannt
`,
  stem: headOf,
  otherNames: [
    'Mutter Mama Mutti',
    'Vater Papa Vati',
    'Großmutter Oma',
    'Großvater Opa',
    'Arzt Ärztin Doktor Doktorin Hausarzt Hausärztin',
    'Fahrrad Rad Velo',
    'Handy Mobiltelefon Smartphone',
    'Auto Wagen',
    'Fernseher Fernsehgerät',
    'Laden Geschäft',
    'Samstag Sonnabend',
  ],
  numbers: String.raw`(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}+zehn|\p{L}+zig|dreißig|\p{L}*hundert|\p{L}*tausend|halbe?n?|hälfte|drittel|viertel)(?!\p{L})`,
  dots: {
    abbreviations: 'dr prof hr fr med mag ing dipl phil jur rer z.b d.h u.a bzw ca inkl evtl ggf geb mio mrd',
    beforeNumbers: 'nr tel str jan jän feb feber mär apr jun jul aug sep sept okt nov dez',
    endings: 'str',
    ordinalBefore: 'Jan|Jän|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez',
    ordinalBehind: 'am|der|die|das|dem|den|des|im|vom|zum|zur|beim|bis|ab|seit|jeden|jede',
  },
};

/** What the assistant is called, beside "du". */
const assistant = '(?:d(?:ie|er|en|em) )?(?:ki(?!\\p{L})|bot|chat(?:bot|gpt)|assistent|claude|gemini|copilot)';

/** What the assistant did with words. */
const said =
  'ge?sagt|empfohlen|vorgeschlagen|geraten|erwähnt|genannt|erklärt|geschrieben|geantwortet|ge?meint|ausgerechnet|berechnet|geschätzt';

const questions: QuestionWords = {
  where: /(?<!\p{L})(?:wo|wohin|woher)(?!\p{L})|in welche[rmns]? (?:stadt|land)/u,
  who: /(?<!\p{L})(?:wer|wen|wem|wessen)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:wie ?viele?[rn]?|wie (?:oft|lange|alt|weit|groß|teuer|schwer))(?!\p{L})/u,
  why: /(?<!\p{L})(?:warum|wieso|weshalb)(?!\p{L})/u,
  yesNo:
    /^(?:ist|sind|war|waren|bin|bist|habe|hast|hat|haben|hatte|kann|kannst|wird|werde|soll|sollte|mag|magst|gibt)(?!\p{L})/u,
  list: /(?<!\p{L})(?:welche)(?!\p{L}).*(?<!\p{L})(?:sind|habe|haben|waren)(?!\p{L})/u,
  past: /(?<!\p{L})(?:früher|vorher|damals|ehemalige?[rnms]?|alte[rnms]?(?= \p{L})|erste[rnms]?)(?!\p{L})/u,
  event: /(?<!\p{L})(?:war|waren|hatte|wurde|hat|hab|habe|hast|haben)(?!\p{L})/u,
  number: [
    String.raw`\bwas\b.{0,80}\b(?:kosten?|kostete|bezahl(?:en|t|te)|zahl(?:en|t|te)|gekostet)\b`,
    String.raw`\bwie ?(?:viele?n?|lange|oft|hoch|groß|weit|alt|schwer|teuer|schnell|breit|tief)\b`,
  ].join('|'),
  person: {
    assistant: '\\b(?:hast|hattest) du\\b',
    replies: [
      '\\b(?:dein(?:e|en|er)? (?:vorschl|antwort|rat(?!\\p{L})|tipp|empfehl|erklärung|einschätzung|rechnung)|deiner (?:meinung|ansicht) nach',
      `(?:hast|hattest|(?:hat|hatte) (?:mir |uns )?${assistant}) (?:\\S+ ){0,12}(?:${said})`,
      '(?:sagtest|empfahlst|rietst|rietest|schlugst|nanntest|meintest|erklärtest|hieltest) du',
      `(?:(?:sagte|empfahl|riet|schlug|nannte|meinte|erklärte|behauptete|ließ)(?: mir| uns)?|laut) (?:dir(?!\\p{L})|${assistant}))`,
    ].join('|'),
    advice:
      '(?<!\\p{L})(?:wie (?:kann|könnte|soll|sollte|bekomme|mache|lässt|muss|geht|vermeide|verhindere)|womit|wodurch)(?!\\p{L})',
    user: '(?<![\\p{L}])(?:ich|mein(?:e|em|en|er|es)?|mir|mich)(?![\\p{L}])',
  },
  second:
    /(?:,\s*|\s)und\s+(?=(?:(?:in|an|auf|aus|bei|mit|von|zu|für|seit|ab|bis|um)\s+)?(?:wer|wem|wen|wessen|was|welche[mnrs]?|wo|woher|wohin|womit|wann|warum|wieso|weshalb|wie|hat|habe|haben|ist|sind|war|waren)(?!\p{L}))/iu,
  asking:
    /(?<!\p{L})(?:wer|wem|wen|wessen|was|welche[mnrs]?|wo|woher|wohin|womit|wann|warum|wieso|weshalb|wie|hat|habe|haben|ist|sind|war|waren)(?!\p{L})/iu,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'du',
    assistant: 'Assistent',
    perhaps: (answer) => `Vielleicht: ${answer}`,
    yes: 'Ja',
    no: 'Nein',
    unclear: 'Keine klare Antwort.',
    nearest: 'Am nächsten kommt:',
    notFound: 'Darauf gibt das Gedächtnis keine Antwort.',
    before: 'Früher',
    saidOn: (day) => `gesagt am ${day}`,
  },
  rejecting: {
    before: 'nicht|kein|keine|keinen|keinem|keiner|statt|anstatt|anstelle von|nicht mehr',
    after: '(?:war|ist) (?:falsch|ein fehler|ein tippfehler)|stimmt nicht',
  },
  spans: {
    range: '{from} bis {to}',
    weekOf: 'die Woche vom {}',
    weekendOf: 'das Wochenende vom {}',
    about: 'um den {}',
    between: 'zwischen dem {from} und dem {to}',
  },
  facts: {
    sentences: {
      profile_name: 'Du heißt {}.',
      profile_surname: 'Dein Nachname ist {}.',
      profile_nickname: 'Du möchtest {} genannt werden.',
      profile_email: 'Deine E-Mail-Adresse ist {}.',
      profile_location: 'Du wohnst in {}.',
      profile_origin: 'Du kommst aus {}.',
      profile_role: 'Dein Beruf: {}.',
      profile_employer: 'Du arbeitest bei {}.',
      profile_birthday: 'Dein Geburtstag: {}.',
      profile_birth_year: 'Dein Geburtsjahr ist {}.',
      profile_identity: 'Du bist {}.',
      profile_condition: 'Deine Gesundheit: {}.',
      allergic_to: 'Deine Allergien: {}.',
      family: 'Deine Familie: {}.',
      likes: 'Du magst {}.',
      dislikes: 'Du magst nicht: {}.',
      prefers: 'Du bevorzugst {}.',
      speaks: 'Du sprichst {}.',
      native_language: 'Deine Muttersprache ist {}.',
      knows: 'Du kennst dich aus mit {}.',
      plays: 'Du spielst {}.',
      learning: 'Du lernst {}.',
      owns_: 'Du besitzt: {}.',
    },
    nouns:
      'name=Name|surname=Nachname|nickname=Spitzname|email=E-Mail-Adresse|location=Wohnort|origin=Herkunft|role=Beruf|employer=Arbeitgeber|birthday=Geburtstag|birth year=Geburtsjahr|age=Alter|identity=Merkmale|condition=Gesundheit|allergic to=Allergien|family=Familie|wife=Ehefrau|husband=Ehemann|spouse=Ehepartner|partner=Partner|girlfriend=Freundin|boyfriend=Freund|fiance=Verlobte|mother=Mutter|father=Vater|mom=Mama|mum=Mama|dad=Papa|boss=Chef|manager=Vorgesetzte|landlord=Vermieter|best friend=bester Freund|doctor=Arzt|therapist=Therapeut|sister=Schwester|brother=Bruder|son=Sohn|daughter=Tochter|friend=Freunde|colleague=Kollegen|neighbour=Nachbarn|neighbor=Nachbarn|dog=Hund|cat=Katze|anniversary=Jahrestag|likes=Vorlieben|dislikes=Abneigungen|prefers=Vorlieben|habit=Gewohnheiten|speaks=Sprachen|native language=Muttersprache|knows=Kenntnisse|plays=spielt|learning=lernt|studied=Ausbildung|plans=Pläne|goal=Ziele|decision=Entscheidungen|creator=von|command name=Befehl|project name=Projektname|deadline=Frist|launch date=Start|uses=Werkzeuge|known as=Name|relationship=Beziehung|breed=Rasse|takes=Medikamente|dose=Dosis|diet=Ernährung|hobby=Hobbys|home=Zuhause|measurement=Maße|schedule=Zeiten|appointment=Termine|event=Ereignisse|trip=Reisen|price=Preis|subscription=Abos|membership=Mitgliedschaften|works on=Projekte|due=Frist|contact=Kontakte|detail=Sonstiges|owns pet=Haustiere|owns device=Geräte|owns vehicle=Fahrzeuge|owns car=Auto|owns item=Besitz|favorite color=Lieblingsfarbe|favorite food=Lieblingsessen|favorite book=Lieblingsbuch|favorite movie=Lieblingsfilm|favorite song=Lieblingslied|favorite drink=Lieblingsgetränk|favorite sport=Lieblingssport|favorite band=Lieblingsband|recurring topic=wiederkehrendes Thema',
    is: '{what}: {}.',
    list: '{what}: {}.',
    of: '{who}, {what}: {}.',
    and: ' und ',
    on: '{} (am {day})',
    saidOn: '{} (gesagt am {day})',
    before: 'Vorher: {}.',
    atThatTime: 'Damals: {}.',
    thenAndNow: 'Damals wie heute: {}.',
    now: 'Jetzt: {}.',
    disagree: 'Aussagen vom selben Zeitpunkt widersprechen sich: {}.',
  },
  capitalNouns: true,
  quantities: 'ein(?:e[nrm]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn',
  placeLeads: 'bei|im|am|auf|unter|neben|nach|aus',
  places: 'zuhause',
  people: 'ich|wir|er|sie',
  bareReplies: 'ja|nein|genau|stimmt',
  acknowledgements:
    'toll tolle toller tolles schön schöne schöner schönes gut gute guter gutes super prima klasse notiert gespeichert verstanden wunderbar glückwunsch danke freut alles klar',
  whatever: 'sagen gesagt sagte erzählt geredet gesprochen besprochen erwähnt gemacht getan passiert geschehen los',
  termNames: {
    frau: 'wife',
    mann: 'husband',
    schwester: 'sister',
    bruder: 'brother',
    mutter: 'mother',
    vater: 'father',
    hund: 'dog',
    katze: 'cat',
    chef: 'boss',
    farb: 'color',
    essen: 'food',
    buch: 'book',
    film: 'movi',
  },
  asks: {
    name: ['wie hei(?:ß|ss)e ich|(?:was|wie) ist mein name'],
    isHome: ['^(?:wohne|lebe) ich (?:noch immer |immer noch |noch |jetzt |eigentlich )?in'],
    location: ['wo (?:wohne|lebe) ich|wo habe ich (?:früher |vorher )?(?:gewohnt|gelebt)'],
    isEmployer: ['^arbeite ich (?:noch immer |immer noch |noch |jetzt |eigentlich )?(?:bei|für)'],
    employer: ['wo arbeite ich|für wen arbeite ich'],
    role: ['was bin ich von beruf|als was arbeite ich|was ist mein beruf'],
    birthday: ['wann (?:habe ich|ist mein) geburtstag|wann bin ich geboren'],
    age: ['wie alt bin ich'],
    relation: ['wie hei(?:ß|ss)t meine? (?<x>\\p{L}+)'],
    favourite: ['(?:was|welche[rs]?) ist meine? lieblings(?<x>\\p{L}+)'],
    languages: ['welche sprachen spreche ich'],
  },
};

export const german: Language = { code: 'de', script: 'latin', words, time, questions, answers, facts };
