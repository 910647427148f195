import type { Words } from '../../language.js';

/** The head of a long word: Kellerschlüssel and Kellertür share it. */
function headOf(word: string): string | undefined {
  return word.length >= 6 ? word.slice(0, 5) : undefined;
}

export const words: Words = {
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
