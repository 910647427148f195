import { describe, expect, it } from 'vitest';
import { findTopics } from '../../src/ingestion/summarise.js';
import { finished } from '../../src/model/steps.js';

const topicsOf = (...given: Parameters<typeof findTopics>) => finished(findTopics(...given));

describe('findTopics', () => {
  it.each([
    ['How do I sort a list in Python?', ['python']],
    ['Node.js or Deno, and a REST API', ['javascript', 'api']],
    ['A SQLite table behind the MCP server', ['sql', 'mcp']],
    ['My dog needs a vet, says my wife', ['pets', 'family']],
    ['I booked a flight and a hotel', ['travel']],
    ['Front-end and back-end, with unit tests', ['testing', 'frontend', 'backend']],
  ])('finds in %j the topics %j', (text, topics) => {
    expect(topicsOf([text])).toEqual(topics);
  });

  it.each([
    'I will do the rest of it tomorrow.',
    'His initials are TS, hers are JS.',
    'It was only a test of my patience.',
    'The server brought us the menu.',
    'Put it into an airtight container.',
    'The vector of the disease is unknown.',
    'apiary, pythonic, sequel',
    'As an AI language model, I do not have opinions.',
    'A budget of 50 dollars is enough for a Hydro Flask bottle.',
    'Some sugars react differently in dough.',
    'Doctor Strange and The Flight Attendant are fun.',
    'Put the photo album next to the lamp.',
    'On physical exam there were no findings.',
  ])('finds nothing in %j', (text) => {
    expect(topicsOf([text])).toEqual([]);
  });

  it('looks at whole words in any case and across messages', () => {
    expect(topicsOf(['PYTHON!', '(docker)'])).toEqual(['python', 'docker']);
  });

  it('does not join the last word of one message with the first of the next', () => {
    expect(topicsOf(['I like my', 'dog and unit', 'test'])).toEqual([]);
  });

  it("keeps the client's own topics first, each once", () => {
    expect(topicsOf(['python and docker'], ['sailing', 'docker'])).toEqual(['sailing', 'docker', 'python']);
  });

  it('finds each topic once, in the order of the table', () => {
    expect(topicsOf(['docker python docker python'])).toEqual(['python', 'docker']);
  });

  it('leaves out words that mean something else as often', () => {
    const texts = ['She carried it up two flights.', 'Ne me fais pas la lecture.', 'The party is in her garden.'];
    expect(topicsOf([...texts, 'A good retirement for my boots, and the brakes show symptoms.'])).toEqual([]);
    expect(topicsOf(['Flights to Rome, compost for my garden, lecture notes'])).toEqual([
      'travel',
      'education',
      'gardening',
    ]);
  });

  it('takes a phrase or two in a long text for a remark, and two different ones or three for a topic', () => {
    const long = 'we talked about many other things that day '.repeat(20);
    expect(topicsOf([`${long} a recipe`])).toEqual([]);
    expect(topicsOf([`${long} a recipe, a recipe`])).toEqual([]);
    expect(topicsOf([`${long} a recipe, a recipe, a recipe`])).toEqual(['cooking']);
    expect(topicsOf([`${long} a recipe`, 'Then let it simmer.'])).toEqual(['cooking']);
  });
});
