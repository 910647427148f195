/**
 * Words that carry grammar rather than subject, in lower case. They are part of the `local-hash` model: changing the list
 * changes its vectors. Words that mean something in another listed language ("die", "man", "son") are left out.
 */
export const functionWords: ReadonlySet<string> = new Set(
  [
    'a an the and or but nor if then else than so as at by for from in into of off on onto out over to up with without',
    'about after again against all also am any are be because been before being between both can cannot could did do',
    'does doing done down during each few further had has have having he her here hers him his how i is it its itself',
    'just me more most my no not now only other our ours own same she should some such that their theirs them there',
    'these they this those through too under until us very was we were what when where which while who whom whose why',
    'will would you your yours s t ll re ve m d don didn doesn isn wasn weren aren couldn wouldn shouldn hasn haven',
    'der das den dem ein eine einen einem einer und oder aber nicht ist sind ich du er sie es wir ihr mit von zu zum zur',
    'auf für im auch noch wie wenn dass',
    'le la les un une des du de et ou est sont je tu il elle nous vous ils elles que qui dans sur pour pas ne ce cette',
    'el los las una unos unas y o es son yo con por para del al se lo su sus como',
  ].flatMap((line) => line.split(' ')),
);
