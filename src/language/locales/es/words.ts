import { withoutEnding } from '../../endings.js';
import type { Words } from '../../language.js';

/** Endings of number, gender and tense, without accents. */
const ending =
  /(?:amientos?|imientos?|aciones|acion|adoras?|adores|ador|ariamos|eriamos|abamos|aremos|eremos|iremos|ieron|iendo|ando|aban|aron|aste|iste|ados?|adas?|idos?|idas?|arias?|erias?|arian|erian|arla|arlo|erlo|erla|aba|abas|amos|emos|imos|ante|ara|are|ian|ia|ar|er|ir|an|en|as|es|os|a|e|o|s)$/;

/** A light stem of a word without accents, and without the vowel that changes under stress: remueve is remover. */
export function stemSpanish(word: string): string {
  return withoutEnding(word, ending).replace(/ue/, 'o').replace(/ie/, 'e');
}

export const words: Words = {
  functionWords: `
el la los las lo un una unos unas de del al a y e o u pero sino ni que qué quién quien quiénes cuál cuáles cual cuándo
cuando dónde donde adónde cómo como cuánto cuánta cuántos cuántas por porque para con sin sobre entre hasta desde hacia según
en yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi mis mí tu tus ti su sus
nuestro nuestra nuestros nuestras vuestro este esta estos estas esto ese esa esos esas eso aquel aquella
es son era eran fue fueron ser sido soy eres somos está están estaba estaban estoy estar hay había haber ha han he hemos
hice hizo hace hacen hacer tiene tienen tengo tenía tener tuvo puede puedo pueden podía poder debe debo deben debía deber
va van voy vamos ir quiere quiero no sí si ya más menos muy mucho mucha muchos muchas poco también tampoco solo sólo
tan tanto todo toda todos todas algo nada alguien nadie otro otra otros otras cada mismo misma así entonces
dijiste decía dije dice dicho recomendaste recomendado aconsejaste aconsejado propusiste propuesto sugeriste sugerido
`,
  stem: stemSpanish,
  otherNames: [
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
  numbers: String.raw`(?<!\p{L})(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to)?s?|\p{L}*cient[oa]s|quinient[oa]s|mil|mitad|tercio|medi[oa])(?!\p{L})`,
  dots: { abbreviations: 'sr sra dr dra' },
};
