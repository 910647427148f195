import { describe, expect, it } from 'vitest';
import { hashEmbedding } from '../../src/embeddings/local.js';
import fc from '../support/properties.js';

function similarity(left: string, right: string, dimension = 32): number {
  const other = hashEmbedding(right, dimension);
  return hashEmbedding(left, dimension).reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0);
}

describe('hashEmbedding', () => {
  it('gives a finite vector of unit length for any string in any dimension', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 1, max: 1536 }),
        (text, dimension) => {
          const vector = hashEmbedding(text, dimension);
          expect(vector).toHaveLength(dimension);
          expect(vector.every(Number.isFinite)).toBe(true);
          expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });

  it('gives the very same numbers on every machine', () => {
    expect([...hashEmbedding('Hello, world! 東京 naïve 🎉', 8)]).toEqual(goldenVector);
  });

  it.each(['', '   ', '.,;:!?', '\n'])('gives the first axis for %j, which contains no word', (text) => {
    expect([...hashEmbedding(text, 4)]).toEqual([1, 0, 0, 0]);
  });

  it.each([
    ['case and punctuation', 'Where is my PASSPORT?', 'where is my passport'],
    ['compatibility forms', 'ﬁle １２３ Ångström', 'file 123 Ångström'],
    ['decomposed accents', 'cafe\u0301', 'café'],
    ['white space', 'two\n\n words', 'two words'],
  ])('does not see a difference of %s', (_, left, right) => {
    expect(hashEmbedding(left, 32)).toEqual(hashEmbedding(right, 32));
  });

  it.each([
    [
      'I bought a red Fender guitar in Berlin',
      'I bought the red Fender guitars in Berlin!',
      'The oven timer is broken again',
    ],
    [
      'The deployment failed because the disk was full',
      'Deployment failed: disk full',
      'My sister plays tennis on Sundays',
    ],
    ['Remind me to renew my passport in March', 'renewing my passport (March)', 'The cat sleeps on the warm radiator'],
    ['favorite color is turquoise', 'favourite colour: turquoise', 'the invoice was paid by bank transfer'],
    ['Ich wohne seit 2019 in Hamburg', 'Seit 2019 wohne ich in Hamburg.', 'Das Rezept braucht drei Eier'],
    ['我喜欢喝咖啡', '我很喜欢喝咖啡。', '明天天气很好'],
    ['東京タワーに行きました', '昨日、東京タワーに行った', '猫が好きです'],
    ['서울에서 친구를 만났다', '서울에서 친구를 만났어요', '내일은 비가 온다'],
    ['Я живу в Москве', 'Я живу в центре Москвы', 'Завтра будет дождь'],
  ])('finds at 32 dimensions that %j is nearer to %j than to unrelated text', (text, near, far) => {
    expect(similarity(text, near)).toBeGreaterThan(similarity(text, far) + 0.2);
  });

  it('lets a rare word count more than the grammar around it', () => {
    const question = 'what was it that we did with the oscilloscope';
    expect(similarity(question, 'oscilloscope', 256)).toBeGreaterThan(
      similarity(question, 'what was it that we did', 256),
    );
  });

  it('lets the tenth mention of a word add less than the first', () => {
    const once = similarity('guitar lessons', 'guitar', 256);
    const often = similarity(
      'guitar guitar guitar guitar guitar guitar guitar guitar guitar guitar lessons',
      'guitar',
      256,
    );
    expect(often).toBeGreaterThan(once);
    expect(
      similarity('guitar guitar guitar guitar guitar guitar guitar guitar guitar guitar lessons', 'lessons', 256),
    ).toBeGreaterThan(0.2);
  });

  it.each([
    { dimension: 32, atLeast: 0.85 },
    { dimension: 64, atLeast: 0.95 },
    { dimension: 256, atLeast: 0.99 },
  ])('finds the original of an edited sentence among 300 at $dimension dimensions', ({ dimension, atLeast }) => {
    const sentences = fc.sample(sentence, { seed: 20, numRuns: 300 });
    const vectors = sentences.map((words) => hashEmbedding(words.join(' '), dimension));
    const found = sentences.filter((words, own) => {
      // One content word is replaced, another inflected, and the whole is shouted.
      const edited = words
        .with(own % words.length, 'telescope')
        .with((own + 3) % words.length, `${words.at((own + 3) % words.length)}s`);
      const query = hashEmbedding(`So: ${edited.join(' ').toUpperCase()}!`, dimension);
      const scores = vectors.map((vector) => vector.reduce((sum, value, axis) => sum + value * (query[axis] ?? 0), 0));
      return scores.indexOf(Math.max(...scores)) === own;
    });
    expect(found.length / sentences.length).toBeGreaterThanOrEqual(atLeast);
  });

  it('takes linear time, for one very long word too', () => {
    for (const unit of ['a', '中', '😀', 'word ']) expect(hashEmbedding(unit.repeat(500_000), 32)).toHaveLength(32);
  });
});

const words =
  'guitar piano window kitchen server database vacation mountain river doctor garden coffee breakfast train airport budget ' +
  'invoice camera museum recipe chicken bicycle insurance laptop keyboard meeting teacher lesson weather dinner brother ' +
  'project release backup printer concert ticket football yoga medicine hospital dentist engine battery solar roof carpet';

const sentence = fc.array(fc.constantFrom(...words.split(' ')), { minLength: 7, maxLength: 9 });

const goldenVector = [
  -0.21355096995830536, -0.47083353996276855, 0.3198302090167999, -0.30200669169425964, 0.1688268631696701,
  -0.12410276383161545, -0.4886570870876312, 0.5064806342124939,
];
