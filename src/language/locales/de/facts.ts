import type { FactWords } from '../../fact-words.js';
import { rules } from './rules.js';

export const facts: FactWords = {
  rules,
  clauses: {
    self: 'ich|mein|meine|meinen|wir',
    joint: 'und|aber|denn',
    now: 'jetzt|nun|inzwischen|mittlerweile|heute|seitdem|stattdessen',
    greeting: 'hallo|guten tag',
    filler: 'übrigens|also|zur zeit|derzeit|momentan',
    sinceLead: 'seit|ab|im',
    sinceTime:
      'jänner|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|nächster woche|nächstem monat|\\p{L}+ jahren?',
    correction: 'eigentlich|korrektur',
    hedge: 'ich glaube\\s*,?\\s*',
    inverted: 'ich|wir',
    asking: 'wie|was|wo|wann|warum|wer|welche[rsn]?|kannst|könntest|kann|soll|hast|gibt|wohne|bin|habe ich',
    askingJoint: 'und',
    ellipsisJoint: 'und|aber',
    traits: {
      lead: 'ich bin',
      and: 'und',
      joint: 'und',
    },
    ellipses: [
      {
        speaker: /^(?:.{0,40}[\s,])?ich(?!\p{L})/iu,
        joint:
          /(?:,\s*|\s+)(?:und|aber)\s+(?=(?:wohne|lebe|arbeite|spreche|spiele|lerne|mag|liebe(?!\s+gr)|hasse|komme|stamme|bin|habe|heiße|bevorzuge|besitze)\s)/giu,
        put: 'ich ',
      },
      {
        speaker: /^(?:.{0,40}[\s,])?ich bin(?!\p{L})/iu,
        joint: /(?:,\s*|\s+und\s+)(?=allergisch\s)/giu,
        put: 'ich bin ',
      },
    ],
    instead: [
      /(?<!\p{L})(?<who>ich|wir) (?<verb>\p{L}{1,20}) [^.;:]{0,40}?nicht(?: mehr)? [^.;:]{1,80}?(?<joint>,? sondern (?:jetzt |nun )?)(?=(?:in|im|bei|beim|als|für|aus|auf) )/diu,
    ],
    contrast: {
      no: 'nicht(?: mehr)?|kein(?:e[mnrs]?)?',
      prepositions: 'bei',
      only: 'nur',
      more: 'mehr',
      but: 'sondern',
    },
    endings: [
      {
        pattern:
          /^(?:ich|wir)\s[^,;:]{1,60}?(?<over>(?<!\p{L})nicht mehr)(?!\p{L}|\s+als\s+(?:\d|ein|zwei|drei|vier|fünf))/diu,
        holds: 'nicht mehr',
      },
      {
        pattern:
          /^(?:ich|wir)\s[^,;:]{1,40}?(?<over>(?<!\p{L})kein(?:e[mnrs]?)?)\s[^,;:]{1,60}?(?<more>\smehr)(?!\p{L})/diu,
        holds: 'kein',
      },
    ],
  },
  gates: {
    supposing: 'wenn|falls|angenommen|ob|würde|wäre|könnte|vielleicht',
    reporting: 'sagt|sagte|meint|meinte|glaubt|behauptet|fragt',
    instructing: 'übersetze?|schreibe?',
    condition: 'falls|wenn',
    materialLead: 'bitte|kannst du',
    material: 'übersetze?|korrigiere?',
    quotedSelf: 'ich|mein',
  },
  values: {
    link: 'weil|aber|sondern|seit|obwohl',
    tail: 'von beruf|jetzt|zurzeit',
    negation: 'kein(?:e[mnrs]?)?|nicht|nie|niemals',
    listJoint: 'und',
    determiners: 'ein eine einen einem einer der die das den dem mein meine meinen',
    nameParticles: 'von der den das zu',
    kinds: {
      person: {
        cut: 'und|und ich',
        refuse: 'nicht|kein',
      },
      proper: {
        cut: 'und',
        refuse: 'nicht|kein',
      },
      place: {
        cut: 'mit|und|für',
        refuse: 'nicht',
      },
      organisation: {
        cut: 'und|als',
        articles: 'eine[rmn]?',
      },
      properOrganisation: {
        cut: 'als|und|ab|im',
      },
      role: {
        cut: 'bei|und|für|von',
        skip: 'ein|eine|als',
      },
      thing: {
        split: 'und',
        splitBefore: 'eine?n?',
        refuse: 'kein',
      },
      topics: {
        split: 'und',
        skip: 'das|den|die',
        refuse: 'das|dies|dich|es|ihn|sie',
      },
      topic: {
        cut: 'gegenüber',
        skip: 'das|den|die',
        refuse: 'das|dies|dich|es|ihn|sie',
      },
      names: {
        split: 'und',
        skip: 'fließend',
      },
      favourite: {
        skip: 'das|der|die',
        refuse: 'nicht',
      },
      date: {
        cut: 'und',
        skip: 'am|den',
      },
      short: {
        refuse: 'nicht',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'gitarre',
      piano: 'klavier',
      violin: 'geige',
      motorcycle: 'motorrad',
      bicycle: 'fahrrad',
      car: 'auto',
      boat: 'boot',
      phone: 'handy',
      camera: 'kamera',
      house: 'haus',
      apartment: 'wohnung',
      dog: 'hund|hunde|hündin',
      cat: 'katzen?|kater',
      rabbit: 'kaninchen',
      horse: 'pferd',
      bird: 'papagei',
    },
    favourites: {
      farbe: 'color',
      essen: 'food',
      speise: 'food',
      gericht: 'food',
      film: 'movie',
      buch: 'book',
      lied: 'song',
      tier: 'animal',
      stadt: 'city',
      sportart: 'sport',
      getränk: 'drink',
      jahreszeit: 'season',
      autor: 'author',
      schriftsteller: 'author',
    },
    relations: {
      frau: 'wife',
      mann: 'husband',
      freundin: 'girlfriend',
      freund: 'boyfriend',
      mutter: 'mother',
      vater: 'father',
      schwester: 'sister',
      bruder: 'brother',
      sohn: 'son',
      tochter: 'daughter',
      chef: 'boss',
      chefin: 'boss',
      hund: 'pet:dog',
      katze: 'pet:cat',
    },
    amounts: 'ein|eine|einen|zwei|drei',
  },
  refused: {
    plays: 'mit(?!\\p{L})',
  },
};
