/**
 * Words that say how something is asked rather than what about, by language. A word belongs to one language's list
 * whatever it means elsewhere: German "man" and "hat" leave German questions only.
 */
export const functionWords = {
  en: wordsOf(`
a an the this that these those there here it its itself i me my mine myself we us our ours ourselves you your yours
yourself he him his she her hers they them their theirs who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having will would shall should can could may might
must ought let lets got get gets getting go goes going gone went
and or but nor so yet if then else than because as until while of at by for with about against between into through
during before after above below to from up down in out on off over under again further once
all any both each few more most other some such no not only own same too very just also ever even still already
really actually maybe perhaps please thanks thank hi hello hey okay ok yes yeah
tell told say said says saying talk talked talking mention mentioned discuss discussed remember remind know knew think
thought want wanted like need give gave make made take took come came see saw look looked find found use used
something anything everything nothing thing things stuff someone anyone everyone one ones lot lots kind sort type way
much many long often usually currently now today recently previous previously earlier last ago time times
conversation chat question answer going able
im ive id ill youre youve dont doesnt didnt isnt arent wasnt werent wont cant couldnt wouldnt shouldnt whats
`),
  de: wordsOf(`
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
`),
  fr: wordsOf(`
le la les l un une des du de d et ou mais donc or ni car que qu qui quoi dont où quand comment pourquoi combien quel
quelle quels quelles est-ce ce cet cette ces c ça cela je j tu il elle on nous vous ils elles me m te t se s lui leur leurs
y en moi toi mon ma mes ton ta tes son sa ses notre nos votre vos est es suis sommes êtes sont était étais étaient été être
sera serait ai as a avons avez ont avait avais avaient eu avoir aura fait faut faudrait fallait peut peux puis pouvait
pouvoir doit dois devait devrais devoir va vas vais aller veut veux vouloir voudrais
à au aux dans par pour sur sous avec sans chez vers entre avant après pendant depuis contre comme si ne n pas plus
moins très trop bien aussi encore déjà toujours jamais tout toute tous toutes même autre autres rien quelque quelques
chose dit dis disais conseillé conseillée conseillais recommandé recommandée suggéré suggérée proposé proposée j'ai
`),
  es: wordsOf(`
el la los las lo un una unos unas de del al a y e o u pero sino ni que qué quién quien quiénes cuál cuáles cual cuándo
cuando dónde donde adónde cómo como cuánto cuánta cuántos cuántas por porque para con sin sobre entre hasta desde hacia según
en yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi mis mí tu tus ti su sus
nuestro nuestra nuestros nuestras vuestro este esta estos estas esto ese esa esos esas eso aquel aquella
es son era eran fue fueron ser sido soy eres somos está están estaba estaban estoy estar hay había haber ha han he hemos
hice hizo hace hacen hacer tiene tienen tengo tenía tener tuvo puede puedo pueden podía poder debe debo deben debía deber
va van voy vamos ir quiere quiero no sí si ya más menos muy mucho mucha muchos muchas poco también tampoco solo sólo
tan tanto todo toda todos todas algo nada alguien nadie otro otra otros otras cada mismo misma así entonces
dijiste decía dije dice dicho recomendaste recomendado aconsejaste aconsejado propusiste propuesto sugeriste sugerido
`),
  uk: wordsOf(`
і й та а або але чи що це цей ця ці цього цьому цим той те ті того тому тим я ти він вона воно ми ви вони мене мені мною тебе
тобі його йому її їй нас нам вас вам їх їм себе собі мій моя моє мої мого моєму моїй моїх твій твоя твоє твої наш наша наше
наші нашу нашого нашої ваш ваша свій своя своє свої хто кого кому ким який яка яке які яку якого якої якому якій яким яких як
коли де куди звідки чому навіщо скільки чого чим чому котру котра котрий з зі із на до у в від для за під над між при про
після перед через без по о об не ні так вже ще тільки лише дуже теж також був була було були бути є буде будуть
має мати маю маємо мав мала мали треба потрібно потрібен потрібна потрібні можна може можу можемо слід варто
якщо щоб бо тоді там тут усе все всі весь вся кожен кожна кожному один одна одне казав казала радив радила порадив порадила пропонував запропонував
`),
  ar: wordsOf(`
ما ماذا من منذ مم ممن مما هل كم بكم كيف لماذا لم لما متى أين إلى على عن عند مع في فيها فيه به بها له لها لي لنا لك علي علينا
عليه عليها إن أن أنا أنت نحن هو هي هم الذي التي الذين اللذان هذا هذه ذلك تلك هناك هنا أي أية أو و ثم بل لكن لا ليس ليست
كان كانت كنت كنا يكون تكون كل بعض غير قد لقد سوف حتى إذا إذن بعد قبل بين تحت فوق حول خلال أجل ذا بماذا عما يجب ينبغي يمكن
نصحت نصحتني اقترحت اقترحته اقترحتها أوصيت قلت ذكرت
`),
  zh: [],
  ja: [],
} satisfies Record<string, readonly string[]>;

export type Language = keyof typeof functionWords;

function wordsOf(list: string): readonly string[] {
  return [...new Set(list.trim().split(/\s+/))];
}
