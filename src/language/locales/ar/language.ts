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

/** What the assistant is called. */
const assistant = '(?:ال)?(?:ذكاء الاصطناعي|بوت|روبوت|مساعد)';

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
    replies: [
      '(?<!\\p{L})(?:(?:نصحت|اقترحت|أوصيت|اوصيت|ذكرت|شرحت)(?:ني|نا|ه|ها)?(?!\\p{L})',
      '(?:قلت|گلت|رشحت|حسبت|كتبت|قسمت|قدرت|عطيت|سميت)ي?لي(?!\\p{L})|(?:قلت|كتبت) لي(?!\\p{L})|(?:أخبرت|اخبرت|أعطيت|اعطيت|علمت)ني',
      `(?:قال|اقترح|نصح|ذكر|أوصى|اوصى|كتب|شرح)(?:ت|ك|ني|لك|لي)? ${assistant}`,
      `برأيك|برايك|حسب (?:رأيك|كلامك|${assistant}))`,
    ].join('|'),
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
  rejecting: { before: 'مش|ليس|ليست|ليسوا|بدل|بدلا من|بدلًا من|مو|وليس|ولا|لا', after: '(?:غلط|خطأ)' },
  spans: {
    range: 'من {from} إلى {to}',
    weekOf: 'أسبوع {}',
    weekendOf: 'عطلة نهاية الأسبوع {}',
    about: 'حوالي {}',
    between: 'بين {from} و{to}',
  },
  facts: {
    sentences: {
      profile_name: 'اسمك {}.',
      profile_surname: 'اسم عائلتك {}.',
      profile_nickname: 'لقبك {}.',
      profile_email: 'بريدك الإلكتروني {}.',
      profile_location: 'مكان سكنك: {}.',
      profile_origin: 'أصلك: {}.',
      profile_role: 'مهنتك: {}.',
      profile_employer: 'جهة عملك: {}.',
      profile_birthday: 'تاريخ ميلادك: {}.',
      profile_birth_year: 'سنة ميلادك: {}.',
      profile_identity: 'أنت: {}.',
      profile_condition: 'صحتك: {}.',
      allergic_to: 'لديك حساسية من: {}.',
      family: 'عائلتك: {}.',
      likes: 'ما تحبه: {}.',
      dislikes: 'ما لا تحبه: {}.',
      prefers: 'ما تفضله: {}.',
      speaks: 'لغاتك: {}.',
      native_language: 'لغتك الأم: {}.',
      knows: 'مهاراتك: {}.',
      plays: 'ما تلعبه أو تعزفه: {}.',
      learning: 'ما تتعلمه: {}.',
      owns_: 'ما تملكه: {}.',
    },
    nouns:
      'name=الاسم|surname=اسم العائلة|nickname=اللقب|email=البريد الإلكتروني|location=مكان السكن|origin=الأصل|role=المهنة|employer=جهة العمل|birthday=تاريخ الميلاد|birth year=سنة الميلاد|age=العمر|identity=نبذة|condition=الصحة|allergic to=الحساسية|family=العائلة|wife=الزوجة|husband=الزوج|spouse=الزوج|partner=الشريك|girlfriend=الصديقة|boyfriend=الصديق|fiance=الخطيب|mother=الأم|father=الأب|mom=الأم|mum=الأم|dad=الأب|boss=المدير|manager=المدير|landlord=صاحب البيت|best friend=أقرب صديق|doctor=الطبيب|therapist=المعالج|sister=الأخت|brother=الأخ|son=الابن|daughter=الابنة|friend=الأصدقاء|colleague=الزملاء|neighbour=الجيران|neighbor=الجيران|dog=الكلب|cat=القط|anniversary=الذكرى السنوية|likes=ما يحبه|dislikes=ما لا يحبه|prefers=التفضيلات|habit=العادات|speaks=اللغات|native language=اللغة الأم|knows=المهارات|plays=يلعب أو يعزف|learning=يتعلم|studied=الدراسة|plans=الخطط|goal=الأهداف|decision=القرارات|creator=المؤلف|command name=الأمر|project name=اسم المشروع|deadline=الموعد النهائي|launch date=موعد الإطلاق|uses=الأدوات|known as=الاسم|relationship=العلاقة|breed=السلالة|takes=الأدوية|dose=الجرعة|diet=النظام الغذائي|hobby=الهوايات|home=المنزل|measurement=القياسات|schedule=المواعيد الثابتة|appointment=المواعيد|event=الأحداث|trip=الرحلات|price=السعر|subscription=الاشتراكات|membership=العضويات|works on=المشاريع|due=موعد الاستحقاق|contact=جهات الاتصال|detail=أخرى|owns pet=الحيوانات الأليفة|owns device=الأجهزة|owns vehicle=المركبات|owns car=السيارة|owns item=الممتلكات|favorite color=اللون المفضل|favorite food=الطعام المفضل|favorite book=الكتاب المفضل|favorite movie=الفيلم المفضل|favorite song=الأغنية المفضلة|favorite drink=المشروب المفضل|favorite sport=الرياضة المفضلة|favorite band=الفرقة المفضلة|recurring topic=موضوع متكرر',
    is: '{what}: {}.',
    list: '{what}: {}.',
    of: '{who}، {what}: {}.',
    and: ' و',
    on: '{} (في {day})',
    saidOn: '{} (قيل في {day})',
    before: 'سابقًا: {}.',
    atThatTime: 'آنذاك: {}.',
    thenAndNow: 'آنذاك والآن: {}.',
    now: 'الآن: {}.',
    disagree: 'أقوال من الوقت نفسه متعارضة: {}.',
  },
};

const facts: FactWords = {
  gates: { rolePlay: 'لعب أدوار|تخيل أنك|تظاهر بأنك|أنت [^.!؟\\n]{1,40}?(?:[،,.]| و) ?و?أنا' },
};

export const arabic: Language = { code: 'ar', script: 'arabic', words, questions, answers, facts };
