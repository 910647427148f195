import type { Language } from './function-words.js';
import { languageOf } from './language-of.js';
import { queryTerms } from './terms.js';

/**
 * Everyday words that people call by two names: one to their family, another in writing; one in this country, another in
 * the next. Nothing in their letters says that they mean the same, and a model of English does not know it elsewhere.
 * Only words that can stand for each other in any sentence; a café is no restaurant.
 */
const groups: Record<Language, readonly string[]> = {
  en: [
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
  de: [
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
  fr: [
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
  es: [
    'madre mamá mami',
    'padre papá papi',
    'abuela abuelita yaya',
    'abuelo abuelito yayo',
    'médico médica doctor doctora',
    'coche carro auto',
    'móvil celular',
    'ordenador computadora computador',
    'piso apartamento departamento',
    'bicicleta bici',
    'nevera frigorífico refrigerador',
    'tele televisión televisor',
  ],
  uk: [
    'мати мама матуся',
    'батько тато',
    'бабуся бабця',
    'дідусь дід',
    'лікар лікарка доктор',
    'автомобіль авто машина',
  ],
  zh: ['母亲 妈妈', '父亲 爸爸', '祖母 奶奶', '祖父 爷爷', '外婆 姥姥', '外公 姥爷', '医生 大夫'],
  ja: [
    'お母さん 母親 ママ',
    'お父さん 父親 パパ',
    'おばあちゃん 祖母',
    'おじいちゃん 祖父',
    '自動車 クルマ',
    '医者 医師',
  ],
  ar: ['أم والدة ماما', 'أب والد بابا', 'جدة تيتة', 'طبيب دكتور', 'سيارة عربية', 'هاتف جوال موبايل'],
};

const known = new Map<Language, ReadonlyMap<string, readonly string[]>>();

/** The terms of the other names of what a query speaks of, those aside that it has itself. */
export function otherNames(query: string, terms: readonly string[]): string[] {
  const names = namesOf(languageOf(query));
  const asked = new Set(terms);
  return [...new Set(terms.flatMap((term) => names.get(term) ?? []))].filter((term) => !asked.has(term));
}

function namesOf(language: Language): ReadonlyMap<string, readonly string[]> {
  const before = known.get(language);
  if (before !== undefined) return before;
  const names = new Map<string, readonly string[]>();
  for (const group of groups[language]) {
    const terms = queryTerms(group, language);
    for (const term of terms) names.set(term, terms);
  }
  known.set(language, names);
  return names;
}
