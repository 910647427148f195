import type { FactWords } from '../../fact-words.js';
import type { AnswerWords, Language, QuestionWords, Words } from '../../language.js';

const prefix = /^(?:وال|بال|كال|فال|لل|ال|و(?=\p{L}{4}))/u;
const suffix = /(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/u;

/** The article and particles attached to it, then the endings of number, gender and possession. */
function stemArabic(word: string): string {
  const plain = word.replace(/[أإآ]/g, 'ا').replace(/ى$/, 'ي');
  const bare = plain.replace(prefix, '');
  const base = bare.length >= 2 ? bare : plain;
  const cut = base.replace(suffix, '');
  return cut.length >= 2 ? cut : base;
}

export const words: Words = {
  functionWords: `
ما ماذا من منذ مم ممن مما هل كم بكم كيف لماذا لم لما متى أين إلى على عن عند مع في فيها فيه به بها له لها لي لنا لك علي علينا
عليه عليها إن أن أنا أنت نحن هو هي هم الذي التي الذين اللذان هذا هذه ذلك تلك هناك هنا أي أية أو و ثم بل لكن لا ليس ليست
كان كانت كنت كنا يكون تكون كل بعض غير قد لقد سوف حتى إذا إذن بعد قبل بين تحت فوق حول خلال أجل ذا بماذا عما يجب ينبغي يمكن
نصحت نصحتني اقترحت اقترحته اقترحتها أوصيت قلت ذكرت
`,
  scriptStem: stemArabic,
  prefix: /^(?:وال|بال|كال|فال|لل|ال)(?=\p{L}{3})/u,
  otherNames: ['أم والدة ماما', 'أب والد بابا', 'جدة تيتة', 'طبيب دكتور', 'سيارة عربية', 'هاتف جوال موبايل'],
  numbers: [
    String.raw`(?<!\p{L})(?:و|ب|ال|بال|وال)?(?:اثن|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع|عشر|مئ|مائ|ألف|نصف|ربع|ثلث)\p{L}*`,
    '(?:يومين|أسبوعين|شهرين|سنتين|ساعتين|مرتين|سنتان)',
  ].join('|'),
};

const questions: QuestionWords = {
  when: /(?<!\p{L})(?:متى|إمتى|امتى)(?!\p{L})/u,
  where: /(?<!\p{L})(?:أين|وين|فين)(?!\p{L})/u,
  who: /^من(?! أين)(?!\p{L})|(?<!\p{L})(?:مين|مع من|لمن)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:كم|بكم|كام)(?!\p{L})/u,
  why: /(?<!\p{L})(?:لماذا|ليش|ليه)(?!\p{L})/u,
  yesNo: /^هل(?!\p{L})/u,
  past: /(?<!\p{L})(?:قبل ذلك|قبلها|سابقا|سابقًا|في السابق|السابق|السابقة|القديم|القديمة)(?!\p{L})/u,
  event: /(?<!\p{L})(?:كان|كانت|كنت|كنا)(?!\p{L})/u,
  number: String.raw`(?<!\p{L})(?:كم|بكم)(?!\p{L})`,
  person: {
    replies: '(?<!\\p{L})(?:نصحت|اقترحت|أوصيت|اوصيت|ذكرت|شرحت)(?:ني|نا|ه|ها)?(?!\\p{L})',
    advice: '(?<!\\p{L})كيف(?!\\p{L})',
    user: '(?<!\\p{L})(?:أنا|عندي|لدي|لي)(?!\\p{L})',
  },
  second: /(?:،\s*|\s)و\s*(?=(?:ما|ماذا|أين|متى|لماذا|كيف|كم|أي|هل|بكم)(?!\p{L}))/u,
  asking: /(?<!\p{L})(?:من|ما|ماذا|أين|متى|لماذا|كيف|كم|أي|هل|بكم)(?!\p{L})/u,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'أنت',
    assistant: 'المساعد',
    perhaps: (answer) => `ربما: ${answer}`,
    yes: 'نعم',
    no: 'لا',
    unclear: 'لا توجد إجابة واضحة.',
    nearest: 'أقرب ما ورد:',
    notFound: 'لا تحتوي الذاكرة على إجابة لذلك.',
    before: 'سابقًا',
    saidOn: (day) => `قيل في ${day}`,
  },
};

const facts: FactWords = {
  gates: { rolePlay: 'لعب أدوار|تخيل أنك|تظاهر بأنك|أنت [^.!؟\\n]{1,40}?(?:[،,.]| و) ?و?أنا' },
};

export const arabic: Language = { code: 'ar', script: 'arabic', words, questions, answers, facts };
