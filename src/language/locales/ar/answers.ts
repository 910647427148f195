import type { AnswerWords } from '../../language.js';

export const answers: AnswerWords = {
  phrases: {
    you: 'أنت',
    assistant: 'المساعد',
    perhaps: (answer) => `ربما: ${answer}`,
    unclear: 'لا توجد إجابة واضحة.',
    nearest: 'أقرب ما ورد:',
    notFound: 'لا تحتوي الذاكرة على إجابة لذلك.',
    before: 'سابقًا',
    saidOn: (day) => `قيل في ${day}`,
  },
};
