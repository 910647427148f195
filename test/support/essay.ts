const openings = [
  'In the first weeks',
  'After a while',
  'On a dry day',
  'Most people find that',
  'As a rule',
  'Early in spring',
];
const subjects = ['the tomatoes', 'young lettuce', 'the roses', 'the compost', 'the raised beds', 'the apple trees'];
const actions = [
  'need loose soil and a little shade',
  'grow better beside marigolds',
  'should be watered in the morning and never over the leaves',
  'want a handful of ash and some patience',
  'suffer from snails more than from drought',
  'can be cut back by a third without harm',
  'thrive once the nights stay above ten degrees',
];
const closings = [
  'so look at them twice a week',
  'and that is enough',
  'which saves work later',
  'as every gardener learns',
];

/** An answer about gardening of at least so many words, in paragraphs of six sentences. */
export function gardenEssay(words: number): string {
  const sentences: string[] = [];
  let written = 0;
  for (let number = 0; written < words; number++) {
    const pick = (list: readonly string[], step: number): string =>
      list[(number * step + (number >> 3)) % list.length] ?? '';
    const parts = [pick(openings, 5), pick(subjects, 7), `${pick(actions, 3)},`, pick(closings, 3)];
    const sentence = `${parts.join(' ')}.`;
    written += sentence.split(' ').length;
    sentences.push(sentence);
  }
  const paragraphs = Array.from({ length: Math.ceil(sentences.length / 6) }, (_, at) =>
    sentences.slice(at * 6, at * 6 + 6),
  );
  return paragraphs.map((paragraph) => paragraph.join(' ')).join('\n\n');
}
