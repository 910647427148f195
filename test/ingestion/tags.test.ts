import { describe, expect, it } from 'vitest';
import { enriching, findTags } from '../../src/ingestion/prepare.js';
import { finished } from '../../src/model/steps.js';

function tagsOf(parts: Partial<Parameters<typeof findTags>[0]> = {}) {
  return finished(findTags({ source: 'codex', messages: [], topics: [], manualTags: [], ...parts }));
}

describe('findTags', () => {
  it('lists source, topics, entities and predicates in this order, with their origins', () => {
    const tags = tagsOf({
      title: 'Velvet Lantern',
      topics: ['python', 'sql'],
      messages: [{ text: 'I play a Gibson Special. Using Python here.' }],
      predicates: ['owns_guitar', 'likes'],
    });
    expect(tags).toEqual({
      auto_tags: [
        'source:codex',
        'python',
        'sql',
        'velvet-lantern',
        'gibson-special',
        'fact:likes',
        'fact:owns_guitar',
      ],
      tag_sources: {
        'source:codex': ['source'],
        python: ['topic'],
        sql: ['topic'],
        'velvet-lantern': ['entity'],
        'gibson-special': ['entity'],
        'fact:likes': ['fact_predicate'],
        'fact:owns_guitar': ['fact_predicate'],
      },
    });
  });

  it('names every origin of a tag', () => {
    const { tag_sources } = tagsOf({ topics: ['red-wine'], messages: [{ text: 'I love Red Wine.' }] });
    expect(tag_sources).toEqual({ 'source:codex': ['source'], 'red-wine': ['topic', 'entity'] });
  });

  it('leaves out what the person tagged, in any spelling', () => {
    const { auto_tags, tag_sources } = tagsOf({ topics: ['python'], manualTags: ['Python!', 'source:Codex'] });
    expect({ auto_tags, tag_sources }).toEqual({ auto_tags: [], tag_sources: {} });
  });

  it.each([
    ['Gibson Special! (P90)', 'gibson-special-p90'],
    ['source:My App', 'source:my-app'],
    ['--a__b::', 'a__b'],
    ['Übung 東京', 'übung-東京'],
  ])('normalises %j to %j', (topic, tag) => {
    expect(tagsOf({ topics: [topic] }).auto_tags).toEqual(['source:codex', tag]);
  });

  it.each([
    ['Press Ctrl to copy. Describe Filon again.', []],
    ['**Hickory: The Classic Choice**\nIt burns slowly.', []],
    ['## Permitting Process\nAsk the Illinois Department of Health.', ['illinois-department-of-health']],
    ['a 1915-S Barber quarter', []],
    [
      'We ate at the Park Grill (237 E Randolph St), which is quite near to Millennium Park.',
      ['park-grill', 'millennium-park'],
    ],
    ['We talked about the Belt and Road Initiative.', []],
    ['The towels from Bed Bath & Beyond, with Scotch Indoor/Outdoor tape.', []],
  ])('finds in %j the names %j', (text, names) => {
    expect(tagsOf({ messages: [{ text }] }).auto_tags.slice(1)).toEqual(names);
  });

  it('keeps at most 24 tags of at most 80 characters', () => {
    const { auto_tags } = tagsOf({ topics: Array.from({ length: 40 }, (_, index) => `${index}-${'x'.repeat(100)}`) });
    expect(auto_tags).toHaveLength(24);
    expect(auto_tags.every((tag) => tag.length <= 80)).toBe(true);
  });

  it('does not take the first word of a sentence for a name', () => {
    expect(tagsOf({ messages: [{ text: 'The Beatles? What About Paul McCartney?' }] }).auto_tags).toEqual([
      'source:codex',
      'paul-mccartney',
    ]);
  });

  it.each([
    ['Yesterday I went home.', []],
    ['Best Way to cook rice?', []],
    ['Please Help Me with this.', []],
    ['About The weather.', []],
    ['Yesterday Paul McCartney sang.', ['paul-mccartney']],
    ["I'm at Pike Place Market. Don't Worry!", ['pike-place-market']],
    ['Visiting Paris was fun.', []],
    ['I called the Department of Health and thought of Home.', ['department-of-health']],
    ['Green tea is good. Green Tea helps.', []],
    ['We read The Lord Of The Rings.', ['lord-of-the-rings']],
    ['How To Fix A Broken Bicycle Wheel In Five Steps', []],
    ['READ THIS NOW, it is urgent.', []],
    ['Last Friday Night we met Dr. Anna Berg.', ['anna-berg']],
    ['Ich war gestern mit Anna Berg in Köln.', ['anna-berg']],
    // Of a name that holds an ordinary word the rest is a name of nothing.
    ['It is late in Eastern Standard Time.', []],
    ['An app like Happy Hour Finder helps.', []],
    ['We saw the Rose Main Reading Room there.', []],
    ['I read A Short History of Nearly Everything.', []],
    // Long names are whole or left out.
    ['She read The Immortal Life of Henrietta Lacks.', ['immortal-life-of-henrietta-lacks']],
    [
      'Last night my sister watched Eternal Sunshine of the Spotless Mind with popcorn.',
      ['eternal-sunshine-of-the-spotless-mind'],
    ],
    // Whose it is.
    ["For album reviews subscribe to the New Musical Express's YouTube channel.", ['new-musical-express']],
    ["I loved Charlotte's Web as a kid.", ['charlotte-s-web']],
    // Verbs that a line of advice begins with.
    ['Post Instagram Stories often. I like Instagram Stories.', ['instagram-stories']],
    ['Allows Project Managers to see it.', ['project-managers']],
    // Descriptions.
    ['A Pulitzer Prize-winning novel.', []],
    ['A Spa-Inspired Retreat for two.', []],
  ])('finds in %j the names %j', (text, names) => {
    expect(tagsOf({ messages: [{ text }] }).auto_tags).toEqual(['source:codex', ...names]);
  });

  it('survives names that objects have of their own', () => {
    expect(tagsOf({ topics: ['constructor', '__proto__'] }).tag_sources).toEqual({
      'source:codex': ['source'],
      constructor: ['topic'],
      proto: ['topic'],
    });
  });
});

describe('tags from titles, tables and paths', () => {
  const entities = (text: string): string[] => tagsOf({ messages: [{ text }] }).auto_tags.slice(1);

  // A line with hardly anything but capitals would be a headline.
  const prose = ', which somebody mentioned while another person walked slowly along several narrow muddy roads';

  it.each([
    // Of a title, the whole or nothing.
    ['We played "Escape from Monkey Island" and read "Coal Miner\'s Daughter" there.', ['coal-miner-s-daughter']],
    ['1. **Forky Asks a Question** - short\n2. **The Moon Knight** - long', ['moon-knight']],
    ['* Ginger Beef and Broccoli Stir-Fry\n* Kanye West - loud', ['kanye-west']],
    [
      'See **Cinque Terre, Italy** and **"Space Oddity" by David Bowie**.',
      ['cinque-terre', 'space-oddity', 'david-bowie'],
    ],
    ['We stayed near the deli (Old East Side).', []],
    // What is said is no title.
    ['She said "I met Paul McCartney there" and left.', ['paul-mccartney']],
    // An opening mark without its partner.
    ['**Then we met Paul McCartney.', ['paul-mccartney']],
    ['| Current Balance | Due |\n|---|---|\n| Property Taxes | 5 |\nSee the Current Balance column.', []],
    ['It is in "C:\\Program Files\\Microsoft SDKs\\x" and src/Main Module/y.', []],
    [
      'We saw Yellowstone National Park, then Yosemite National Park.',
      ['yellowstone-national-park', 'yosemite-national-park'],
    ],
    ['I use the Bellroy Slim Sleeve. My Slim Sleeve is thin.', ['bellroy-slim-sleeve']],
    ["It is by Vulture's Gazelle Emami, in Trello's Gold plan, from IKEA's Billy series.", ['gazelle-emami']],
    ['It is in the National Plan for the Control of Drug Trafficking.', []],
    [
      'It was signed by President Lyndon B. Johnson and 12 Angry Farmers in the 1896 New York City election.',
      ['president-lyndon-b-johnson', 'new-york-city'],
    ],
    ['Signs of Physical Appearance change\n----\nIt is', []],
    ["A slice of Tolstoy's War and Peace.", []],
    ['A study in the Journal of Clinical and Aesthetic Dermatology, and the Ndebele Cultural and Heritage Fair.', []],
    ['**"This Bridge Called My Back: Writings by Radical Women of Color"** is an anthology.', []],
    ["We sold Sgt. Pepper's Lonely Hearts Club Band and the Diary of a Wimpy Kid.", ['diary-of-a-wimpy-kid']],
    ['A 10th Gen Intel Core, from the Microsoft (R) Windows (R) Communication Foundation.', []],
    ['Add 1 oz Fresh Strawberry Puree and 2 cups of Greek Yogurt from Trader Joe.', ['trader-joe']],
    ['**3. Electronic Device Detox (30 minutes)**\nIt is', []],
    ['Partnership with International Organizations- The Czech Republic is', ['czech-republic']],
    ['It is an NFT GATED COMMUNITY, AN IDENTITY FOR USAGE ONLINE with a REST API.', ['rest-api']],
    ['It holds South Italian and Middle Eastern vases, and North African ones from South Sudan.', ['south-sudan']],
    [
      "We saw Les Demoiselles d'Avignon at Le Moulin de la Galette.",
      ['les-demoiselles-d-avignon', 'le-moulin-de-la-galette'],
    ],
    ['It is Puerto Rican music for Black Americans.', []],
  ])('finds in %j the names %j', (text, names) => {
    expect(entities(`${text}${prose}`)).toEqual(names);
  });

  it('reads a long line of marks without partners', () => {
    const text = '**Paul McCartney " said some quiet small words, '.repeat(20_000);
    expect(entities(text)).toEqual(['paul-mccartney']);
  });
});

describe('tags of languages that capitalize more than names', () => {
  const entities = (text: string): string[] => tagsOf({ messages: [{ text }] }).auto_tags.slice(1);

  it.each([
    ['Gute Wahl. Nimm die Platten, die du schon hast.', []],
    ['Klebrige Krume deutet auf zu wenig Säure oder zu kurzes Backen hin.', []],
    ['Ich habe noch 17 Tage Urlaub und brauche drei Kilo Möhren für die Suppe.', []],
    ['Wir waren in Triest. Drei Tage Sonne, und das Ende Juni ist noch weit.', []],
    [
      'Mein Chef Herr Dietz hat es gut aufgenommen, und die Pension Bärenhof ist frei.',
      ['herr-dietz', 'pension-bärenhof'],
    ],
    [
      'Das hat mir gestern meine Kollegin Renate erklärt, und geschrieben hat es vor langer Zeit einmal Anna Seghers.',
      ['anna-seghers'],
    ],
    ['Сусід Петро Гнатович обіцяв навчити мене, а бабуся не хоче.', ['петро-гнатович']],
  ])('%s', (text, tags) => {
    expect(entities(text)).toEqual(tags);
  });

  it('leave out half names and ordinary things of a list', () => {
    expect(entities("Take Winsor & Newton's Galeria to St. Peter's Basilica for the Feast of St. John.")).toEqual([]);
    expect(entities('- Paper Towels: $5\nWe need Paper Towels now.\nAny towels of paper will do.')).toEqual([]);
  });
});

describe('enrich', () => {
  const conversation = { source: 'codex', messages: [{ role: 'user', text: 'Help with Python.' }] as const };

  it('adds topics, tags and a summary', () => {
    expect(finished(enriching({ ...conversation, metadata: {} }))).toEqual({
      topics: ['python'],
      auto_tags: ['source:codex', 'python'],
      tag_sources: { 'source:codex': ['source'], python: ['topic'] },
      generated_summary: 'Conversation about python: user: Help with Python.',
    });
  });

  it('writes no topics when there are none', () => {
    const plain = { source: 'codex', messages: [{ role: 'user', text: 'Hello.' }] as const, metadata: {} };
    expect(finished(enriching(plain))).not.toHaveProperty('topics');
  });
});
