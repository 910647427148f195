import type { FactWords } from '../../fact-words.js';
import { rules } from './rules.js';

export const facts: FactWords = {
  rules,
  clauses: {
    self: 'я|ми|мене|мені|мій|моя|моє|мою|у мене',
    joint: 'і|й|та|але|бо',
    now: 'тепер|зараз|нині',
    greeting: 'привіт|добрий день',
    filler: 'до речі|отже',
    correction: 'насправді',
    hedge: 'я думаю,? що\\s*,?\\s*',
    asking: 'чи|як|де|що|коли|чому|хто|яка|який|можеш',
    ellipsisJoint: 'і|й|та|але',
    ellipses: [
      {
        speaker: /^(?:.{0,40}[\s,])?я(?!\p{L})/iu,
        joint:
          /(?:,\s*|\s+)(?:і|й|та|але)\s+(?=(?:живу|мешкаю|працюю|розмовляю|говорю|вивчаю|вчу|граю|люблю|обожнюю|ненавиджу|маю)\s)/giu,
        put: 'я ',
      },
    ],
    instead: [
      /(?<!\p{L})(?<who>я|ми) (?:більше |вже |уже )?не (?<verb>\p{L}{1,20}) [^.;:]{1,80}?(?<joint>, а (?:тепер |зараз )?)(?=(?:в|у|на|для|з|із) )/diu,
    ],
    contrast: {
      no: 'не|більше не',
      andNot: 'а не',
      prepositions: 'у|в',
      only: 'тільки|лише',
      but: 'а',
    },
    endings: [{ pattern: /^(?:я|ми|мені)\s(?<over>(?:більше|вже|уже) не)\s/diu, holds: '(?:більше|вже|уже) не' }],
  },
  gates: {
    supposing: 'якщо|якби|уяви|уявімо|припустимо|може',
    reporting: 'каже|казав|казала|сказав|сказала|думає|питає|вважає',
    instructing: 'переклади|напиши',
    condition: 'якщо',
    material: 'переклади',
    quotedSelf: 'я|мене|мій|моя|є',
  },
  values: {
    link: 'але|бо|тому',
    tail: 'зараз',
    negation: 'не|ніколи|жодн\\p{L}*',
    listJoint: 'і|та|й',
    kinds: {
      person: {
        cut: 'і|та',
        refuse: 'не',
      },
      proper: {
        cut: 'і|та',
        refuse: 'не',
      },
      place: {
        cut: 'з|та|і',
        refuse: 'не',
      },
      organisation: {
        cut: 'і|та',
      },
      role: {
        cut: 'в|у|на',
      },
      thing: {
        split: 'і|та',
        splitBefore: 'двоє|одну?',
        refuse: 'не',
      },
      topics: {
        split: 'і|та|й',
        refuse: 'це|цe|те|тебе',
      },
      topic: {
        refuse: 'це|цe|те|тебе',
      },
      names: {
        split: 'і|та|й',
      },
      favourite: {
        refuse: 'не',
      },
      date: {
        skip: 'в',
      },
      short: {
        refuse: 'не',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'гітар\\p{L}*',
      piano: 'піаніно',
      violin: 'скрипк\\p{L}*',
      motorcycle: 'мотоцикл\\p{L}*',
      bicycle: 'велосипед\\p{L}*',
      car: 'машин[ау]|авто|автомобіль',
      laptop: 'ноутбук',
      computer: "комп'ютер",
      phone: 'телефон',
      camera: 'камер[ау]',
      house: 'будинок',
      apartment: 'квартир[ау]',
      dog: 'соба[кч]\\p{L}*|пес|пса|цуценя',
      cat: 'кіт|кота|кішк\\p{L}*|кошеня',
      rabbit: 'кролик\\p{L}*',
      horse: 'кінь',
      bird: 'папуг\\p{L}*',
    },
    favourites: {
      колір: 'color',
      страва: 'food',
      їжа: 'food',
      фільм: 'movie',
      книга: 'book',
      пісня: 'song',
      тварина: 'animal',
      місто: 'city',
      спорт: 'sport',
      напій: 'drink',
      автор: 'author',
    },
    relations: {
      дружину: 'wife',
      чоловіка: 'husband',
      дівчину: 'girlfriend',
      хлопця: 'boyfriend',
      маму: 'mother',
      матір: 'mother',
      тата: 'father',
      батька: 'father',
      сестру: 'sister',
      брата: 'brother',
      сина: 'son',
      доньку: 'daughter',
      дочку: 'daughter',
      собаку: 'pet:dog',
      кота: 'pet:cat',
      кішку: 'pet:cat',
    },
  },
};
