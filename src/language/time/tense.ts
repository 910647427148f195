import type { Language } from '../function-words.js';

/**
 * How a language tells what was from what comes: expressions over lower-case words, found as whole words. Only what a date
 * needs: verbs that are not known say nothing, and a date beside none of these words is taken for one to come.
 */
export interface TenseWords {
  /** With its participle: "is booked" is no past. */
  coming: string;
  past: string;
  /** Again and again: there is no one date. */
  again: string;
  /** Directly before a weekday it makes it every one of them. */
  everyOne?: string;
  /** Directly before a date: it lies ahead even where a verb of the past arranged it ("booked for Friday"). */
  aim: string;
}

const english: TenseWords = {
  coming:
    "(?:(?<!\\d ?)am|is|are|(?<!to )be|being|gets|getting|isn't|aren't|(?:it|he|she|that|there|here|what|who)'s|[a-z]+'(?:m|re))(?: (?:not|all|also|still|now|already|just|officially|finally|so|very|really)){0,2}(?: [a-z]+ing)?(?: (?:[a-z]+ed|set|held|done|taken))?" +
    "|will|won't|shall|[a-z]+'ll|going to|gonna|about to|let's|next|upcoming|due|ha(?:ve|s)|[a-z]+'ve got|needs?|wants?|plans?|hopes?|must|should|can|could|might|would" +
    '|leaves|starts|begins|ends|opens|closes|arrives|departs|comes|goes|flies|moves|expires|happens|launches|takes|meets|turns|(?<=(?:i|we|you|they) )(?:leave|start|begin|open|arrive|come|go|get|fly|move|take|meet|turn)',
  past:
    "was|were|wasn't|weren't|did|didn't|had|hadn't|[a-z]+'ve(?! got)|used to|remember [a-z]+ing|ago|yesterday|recently|ha(?:ve|s) (?:(?:already|just|also|never|recently|not) )?(?:been|had|gone|seen|done|made|taken|[a-z]+ed)|been|gone|seen|went|came|became|began|bought|brought|broke|built|caught|chose|drank|drew|drove|ate|fell|felt|flew|fought|forgot|found|gave|(?<!ve |has )got|grew|heard|held|kept|knew|left|lent|lost|made|met|paid|ran|rode|rang|rose|said|sang|sat|saw|sent|shot|slept|sold|spent|stole|spoke|stood|swam|taught|threw|thought|told|took|understood|woke|won|wore|wrote" +
    '|(?!(?:fred|shed|sled|hundred|naked|sacred|hatred|interested|worried|scared|married|tired|excited|thrilled|scheduled|supposed|expected)\\b)[a-z]+[^e\\P{L}]ed',
  again: 'every|each|usually|always|normally|typically|generally|often|whenever|annual(?:ly)?|weekly|monthly|yearly',
  aim: 'for(?: the)?',
};

/** German puts the participle at the end of its clause; the dot of "am 3. März" ends none. */
const within = '(?:(?:[^.,;!?]|(?<=\\d)\\.){0,80} )?';
const prefixed = '(?:be|ver|er|ent|zer|unter|über)\\p{L}{2,}(?:t|en)';

const german: TenseWords = {
  coming: `(?:ist|sind|wird|werden) ${within}(?:geplant|gebucht|angesetzt|vorgesehen|terminiert|fällig)|werde|wird|wirst|werden|werdet|geht|beginnt|beginne|startet|endet|öffnet|schließt|findet|kommt|kommen|fahren|fährt|fahre|fliegen|fliegt|fliege|gehen|ziehen|zieht|ziehe|heiraten|läuft|soll|sollen|muss|müssen|möchte|möchten|will|wollen|kann|können|nächste[rnms]?|kommende[rnms]?`,
  past:
    'war|waren|warst|hatten?|wurden?|ging(?:en)?|kam(?:en)?|fuhr(?:en)?|flog(?:en)?|fand(?:en)?|gab(?:en)?|sah(?:en)?|traf(?:en)?|zog(?:en)?|begann(?:en)?|blieb(?:en)?|bekam(?:en)?|starb(?:en)?|lief(?:en)?|(?:mach|kauf|wohn|start|heirat|feier|spiel|besuch|lern|reis|arbeit)e?ten?|gestern|vorgestern|damals' +
    '|(?!geschäft|gericht|gewicht|gebiet|gedicht|gesicht|gelten|gehör|gefällt|gefallen|gewinnen|genießen|geplant|angesetzt|gesamt|gemeinsam|gewiss|geehrt|gespannt|geöffnet|geschlossen)(?:an|ab|auf|aus|ein|um|vor|zurück|weg|los|mit|zu|her|hin|nach|teil|statt|kennen)?ge\\p{L}{2,}(?:t|en)' +
    // Without "ge" it is spelled like the present, so the verb before or behind it has to tell.
    `|(?:habe?|hast|hat|haben|bin|bist|ist|sind) ${within}(?:${prefixed}|\\p{L}{2,}iert)(?= *(?:$|[.,;!?]))|${prefixed} (?:habe|hat|haben|bin|ist|sind)`,
  again:
    'jede[rnms]?|immer|meistens?|normalerweise|üblicherweise|oft|alle (?:zwei|drei|vier|\\d)|jährlich|wöchentlich|monatlich',
  aim: 'für(?: den)?|auf(?: den)?',
};

const french: TenseWords = {
  coming:
    '(?:est|sont|sera|seront) (?:\\p{L}+ )?(?:prévu|fixé|réservé|programmé|annoncé)e?s?|vais|vas|va|allons|allez|vont|\\p{L}{2,}(?:erai|eras|era|erons|erez|eront|ira|iront|irai|drai|dra|dront)|aurai|aura|aurons|auront|est|sont|suis|sommes|pars|part|partons|partent|commence|commencent|finit|ouvre|ferme|arrive|arrivons|prochaine?s?|dois|doit|devons|veux|veut',
  past: '(?:ai|as|a|avons|avez|ont) (?:(?:déjà|bien|pas|tout|enfin|aussi|récemment|jamais|encore) )?\\p{L}+(?:é|ée|és|ées|i|u|ue|us|is|it|ert)|(?:suis|es|est|sommes|êtes|sont) (?:(?:déjà|bien|pas|tous|enfin|aussi|récemment) )?(?:allé|venu|parti|arrivé|né|mort|rentré|sorti|monté|tombé|resté|devenu|passé|revenu)e?s?|étai(?:t|ent|s)|étions|avai(?:t|ent|s)|avions|\\p{L}{3,}(?:aient|ait)|fut|hier|autrefois',
  again: "chaque|tous les|toutes les|toujours|souvent|d'habitude|habituellement|généralement",
  everyOne: 'le|les',
  aim: 'pour(?: le)?',
};

const spanish: TenseWords = {
  coming:
    '(?:es|son|está|están|estoy|estamos) (?:\\p{L}+ )?\\p{L}+(?:ado|ada|ados|adas|ido|ida|idos|idas|ando|iendo)|es|son|está|están|voy|vas|va|vamos|van|tengo|tienes|tiene|tenemos|tienen|\\p{L}{2,}[aei]r(?:é|ás|á|emos|án)|empieza|empiezo|comienza|sale|salimos|termina|abre|cierra|llega|viene|próxim[oa]s?|debo|quiero',
  past: '(?!(?:café|bebé|qué|porqué|josé|\\p{L}*[aei]ré)(?!\\p{L}))\\p{L}{2,}(?:ó|é)|\\p{L}{2,}(?:aron|ieron|aste|iste|aba|aban|ábamos)|fui|fue|fuimos|fueron|era|eran|estuv[eo]|estuvimos|estuvieron|tuv[eo]|tuvimos|hice|hizo|hicimos|vine|vino|dije|dijo|vi|vio|di|dio|había|habían|tenía|tenían|vivía|quería|(?:he|has|ha|hemos|han) \\p{L}+(?:ado|ido|to|cho)|ayer|anoche',
  again: 'cada|todos los|todas las|siempre|normalmente|generalmente|suelo|suele|solemos',
  everyOne: 'los',
  aim: 'para(?: el)?',
};

const ukrainian: TenseWords = {
  coming:
    'буд(?:у|еш|е|емо|ете|уть)|є|маю|маєш|має|маємо|мають|\\p{L}+(?:тиму|тиме|тимемо|тимуть)|їду|їде|їдемо|лечу|летимо|летить|іду|йду|йдемо|починається|починаю|закінчується|відбудеться|наступн\\p{L}+',
  past: '(?!коли|школ|скл|сил|мил|тіл|діл|сел|стіл)\\p{L}+(?:[аиуоює]в|[аиуоюєії]л[аои]|[гжзкртшсп]л[аои]|вся|л[аои]с[яь])|учора|вчора|позавчора',
  again: 'кожн\\p{L}+|що(?:року|тижня|місяця|дня|річно|тижнево)|завжди|зазвичай|часто',
  aim: 'на',
};

const chinese: TenseWords = {
  coming: '将|[会會](?![议議])|要|打算|计划|計劃|准备|準備|是|即将',
  past: '了|过|過|昨|曾|刚才|剛才',
  again: '每|总是|總是|通常|经常|經常',
  aim: '[订訂约約定][了在到]?',
};

/** Languages without an entry have their dates read as the others: ahead. */
export const tenseWords: Partial<Record<Language, TenseWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  uk: ukrainian,
  zh: chinese,
};
