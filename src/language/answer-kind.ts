/** Whether a question wants a number for its answer: a price, an amount, a length, a share. */
export function asksNumber(query: string): boolean {
  return numberAsked.test(query);
}

/** Whether a text holds a number, in digits or in words. */
export function holdsNumber(text: string): boolean {
  return number.test(text);
}

const numberAsked = new RegExp(
  [
    String.raw`\bhow (?:much|many|long|far|often|old|big|large|tall|high|fast|heavy|deep|wide)\b`,
    String.raw`\bwhat (?:price|percentage|share|number|amount)\b|\bwhat (?:does|did|do|will|would)\b.{0,80}\b(?:cost|pay|charge)\b`,
    String.raw`\bwas\b.{0,80}\b(?:kosten?|kostete|bezahl(?:en|t|te)|zahl(?:en|t|te)|gekostet)\b`,
    String.raw`\bwie ?(?:viele?n?|lange|oft|hoch|groß|weit|alt|schwer|teuer|schnell|breit|tief)\b`,
    String.raw`\b(?:combien|quel(?:le)? (?:prix|montant|somme|budget|durée|épaisseur|délai|salaire|distance))\b`,
    String.raw`cuánt[oa]s?(?!\p{L})|\bqué (?:precio|cantidad|presupuesto|importe|velocidad)\b`,
    String.raw`(?<!\p{L})(?:скільки|наскільки|яку (?:суму|кількість)|як (?:довго|часто|далеко))(?!\p{L})`,
    '多少|多久|多长|多大|多远|多高|多重|几[个点天次年月周块人]',
    '何[個人分円回日本枚度歳年泊匹冊]|何時間|何キロ|いくら|いくつ|どれくらい|どのくらい|(?:お金|料金|値段|費用)は',
    String.raw`(?<!\p{L})(?:كم|بكم)(?!\p{L})`,
  ].join('|'),
  'iu',
);

const number = new RegExp(
  [
    String.raw`\p{Nd}`,
    String.raw`(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|half|third|quarter|dozen|once|twice)`,
    String.raw`(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}+zehn|\p{L}+zig|dreißig|\p{L}*hundert|\p{L}*tausend|halbe?n?|hälfte|drittel|viertel)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|cents?|mille|moitié|tiers|demie?)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to)?s?|\p{L}*cient[oa]s|quinient[oa]s|mil|mitad|tercio|medi[oa])(?!\p{L})`,
    String.raw`(?<!\p{L})(?:два|дві|двоє|двох|три|троє|трьох|чотири|чотирьох|п['’]ят\p{L}*|шіст\p{L}*|шест\p{L}*|сім|вісім|дев['’]ят\p{L}*|десят\p{L}*|\p{L}+надцят\p{L}*|двадцят\p{L}*|тридцят\p{L}*|сорок|сто|двісті|триста|тисяч\p{L}*|пів|половин\p{L}*)(?!\p{L})`,
    '[两二三四五六七八九十百千万半]|一[百千万个天次块年月周]',
    String.raw`(?<!\p{L})(?:و|ب|ال|بال|وال)?(?:اثن|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع|عشر|مئ|مائ|ألف|نصف|ربع|ثلث)\p{L}*`,
    '(?:يومين|أسبوعين|شهرين|سنتين|ساعتين|مرتين|سنتان)',
  ].join('|'),
  'iu',
);
