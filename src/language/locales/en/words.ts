import type { Words } from '../../language.js';
import { stemEnglish } from './stem.js';

export const words: Words = {
  functionWords: `
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
`,
  scriptStem: stemEnglish,
  // The form that a question has ("did I buy") first. Left out are verbs that are function words anyway (go, get, take …)
  // and forms that are other words more often (rose, saw, bit).
  irregularVerbs: `
bend bent|bite bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed|feel felt|fight fought|fly flew flown|forget forgot forgotten|freeze froze frozen|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|meet met
pay paid|ride rode ridden|ring rang rung|run ran|sell sold|send sent|shake shook shaken|shoot shot|sing sang sung
sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|spill spilt|stand stood|steal stole stolen|stick stuck
strike struck|sweep swept|swim swam swum|teach taught|tear tore torn|throw threw thrown|understand understood
wake woke woken|wear wore worn|win won|write wrote written`,
  otherNames: [
    'mother mom mum mommy mummy',
    'father dad daddy',
    'grandmother grandma granny nana',
    'grandfather grandpa granddad',
    'doctor physician',
    'child kid',
    'bike bicycle',
    'fridge refrigerator',
    'tv television',
    'film movie',
    'flat apartment',
    'holiday vacation',
    'phone telephone cellphone',
    'car automobile',
  ],
  numbers: String.raw`(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|half|third|quarter|dozen|once|twice)`,
  dots: {
    abbreviations: 'dr mr mrs ms prof st jr vs e.g i.e etc inc ltd co approx dept mt ft rev hon sgt capt med phil',
    beforeNumbers: 'no vol pp fig art ch tel jan feb apr jun jul aug sep sept oct nov dec',
    letters: 'I',
  },
};
