import type { Words } from '../../language.js';

export const words: Words = {
  otherNames: [
    'お母さん 母親 ママ',
    'お父さん 父親 パパ',
    'おばあちゃん 祖母',
    'おじいちゃん 祖父',
    '自動車 クルマ',
    '医者 医師',
  ],
  unspaced: {
    asking:
      '何でしたか|何ですか|何と|何を|何が|何か|何の|何|誰|どこ|いつ|どれくらい|どのくらい|どれ|どんな|どう|なぜ|いくら|教えて|言って|ください',
    particles: 'はがをにでとのもへやか',
    small: '後私',
  },
};
