import { describe, expect, it } from 'vitest';
import { speakersOf, withoutSpeaker } from '../../src/language/names.js';
import { asksForReply, personAsked } from '../../src/language/query-terms.js';

describe('speakersOf', () => {
  it('finds the name in front of each turn of a conversation between people', () => {
    expect(speakersOf(['Nora: Hi!', 'Ben: Hello.', 'Nora: How are you?'])).toEqual(['Nora', 'Ben', 'Nora']);
    expect(speakersOf(['Mary Ann: Hi!', 'Łukasz: Cześć.', 'Mary Ann: So?'])).toEqual([
      'Mary Ann',
      'Łukasz',
      'Mary Ann',
    ]);
  });

  it('takes no heading or list for a speaker', () => {
    expect(speakersOf(['Note: buy milk', 'Fine.', 'Thanks!'])).toEqual([undefined, undefined, undefined]);
    const glossary = ['Alpha: one', 'Beta: two', 'Gamma: three', 'Delta: four', 'Epsilon: five', 'Zeta: six'];
    expect(speakersOf(glossary).every((speaker) => speaker === undefined)).toBe(true);
    expect(speakersOf(['Nora: Hi!'])).toEqual([undefined]);
  });

  it('keeps the text when the name is not in front of it', () => {
    expect(withoutSpeaker('Nora: Hi!', 'Nora')).toBe('Hi!');
    expect(withoutSpeaker('Hi, Nora: hello', 'Nora')).toBe('Hi, Nora: hello');
    expect(withoutSpeaker('Nora: Hi!', undefined)).toBe('Nora: Hi!');
  });
});

describe('personAsked', () => {
  it.each([
    ['What did you suggest for dinner?', 'assistant'],
    ['Remind me what you said about eggs', 'assistant'],
    ['How many instruments do I own?', 'user'],
    ['Where does my sister live?', 'user'],
    ['Was hast du mir empfohlen?', 'assistant'],
    ['Wo habe ich mein Rad abgestellt?', 'user'],
    ['Où est-ce que je travaille ?', 'user'],
    ['¿Qué me recomendaste?', 'assistant'],
    ['Де я живу?', 'user'],
    ['你推荐了哪家餐厅？', 'assistant'],
    ['我住在哪里？', 'user'],
    ['كيف نصحتني بتنظيفها؟', 'assistant'],
    ['私の机の高さは？', 'user'],
    ['How can I mend the barrel?', 'assistant'],
    ['Comment épaissir la sauce ?', 'assistant'],
    ["Comment s'appelle mon voisin ?", 'user'],
    ['怎么清洗滤网？', 'assistant'],
    ['When did Nora move?', undefined],
    ['best pasta recipe', undefined],
  ])('reads whose words %j is about', (query, person) => {
    expect(personAsked(query)).toBe(person);
  });
});

describe('asksForReply', () => {
  it.each([
    ['What did you recommend for the docker error?', true],
    ['Which book have you mentioned?', true],
    ['the list you gave me', true],
    ['Which lamp did the AI recommend?', true],
    ['What was the best route, according to Claude?', true],
    ['what did u come up with for the menu', true],
    ['Was hast du mir für den Garten empfohlen?', true],
    ['Was riet mir die KI für den Garten?', true],
    ['Wie lange sollte ich laut dir warten?', true],
    ['tu m’avais conseillé quelle peinture ?', true],
    ['Quelle peinture a proposé l’IA ?', true],
    ['¿Qué pintura sugirió la IA?', true],
    ['¿Qué plan me hiciste para mayo?', true],
    ['Яку фарбу порадив ШІ?', true],
    ['你当时让我先涂哪种漆？', true],
    ['どの塗料がいいって言ってた？', true],
    ['母に電話しろって言ったのは誰？', false],
    ['قلتلي استخدم أي دهان؟', true],
    ['Which AI startup did Nora join?', false],
    ['Was hat Nora mir empfohlen?', false],
    ['Qu’est-ce que Nora m’a conseillé ?', false],
    ['Can you tell me where I live?', false],
    ['Do you remember my name?', false],
    ['Hast du dir gemerkt, wo ich wohne?', false],
    ['How do I get to the office?', false],
  ])('%s: %s', (query, is) => {
    expect(asksForReply(query)).toBe(is);
  });
});
