import { describe, expect, it } from 'vitest';
import { factQueryOf, factRoutes, isWanted } from '../../src/answers/fact-match.js';
import { readingQuestion } from '../../src/answers/question.js';
import { kindOf, predicateKinds } from '../../src/facts/predicates.js';
import { finished } from '../../src/model/steps.js';
import { aFact } from '../support/fact.js';

const today = '2026-11-15T00:00:00Z';

function wants(question: string, predicate: string, value = 'x', subject = 'user'): boolean {
  const query = factQueryOf(finished(readingQuestion(question, today)));
  if (query === undefined || (query.subject ?? subject).toLowerCase() !== subject.toLowerCase()) return false;
  return isWanted(aFact({ predicate, object_normalized: value, subject }), query);
}

describe('a question about the user', () => {
  it.each([
    ['What is my name?', 'profile_name'],
    ["What's my last name?", 'profile_surname'],
    ['Where do I live now?', 'profile_location'],
    ['Which city do I live in?', 'profile_location'],
    ['Where am I from?', 'profile_origin'],
    ['Where do I work?', 'profile_employer'],
    ['Do we still live in Bath?', 'profile_location'],
    ['Am I still working for Acme?', 'profile_employer'],
    ['Wohne ich noch in Graz?', 'profile_location'],
    ['Est-ce que je travaille toujours chez Renault ?', 'profile_employer'],
    ['¿Todavía vivo en Sevilla?', 'profile_location'],
    ['What do I do for a living?', 'profile_role'],
    ['What is my job title?', 'profile_role'],
    ['When is my birthday?', 'profile_birthday'],
    ['How old am I?', 'profile_age'],
    ['What am I allergic to?', 'allergic_to'],
    ['When is our anniversary?', 'date_anniversary'],
    ["When is my wife's birthday?", 'date_wife_birthday'],
    ["What is my sister's name?", 'relation_sister'],
    ['Who is my mom?', 'relation_mother'],
    ['What is my dog called?', 'pet_dog'],
    ['How many kids do I have?', 'family'],
    ['What is my favourite colour?', 'favorite_color'],
    ['What is my favorite programming language these days?', 'favorite_programming_language'],
    ['What car do I drive?', 'owns_car'],
    ['Do I own a guitar?', 'owns_guitar'],
    ['What do I like?', 'likes'],
    ['What do I hate?', 'dislikes'],
    ['Which languages do I speak?', 'speaks'],
    ['What instruments do I play?', 'plays'],
    ['What am I learning?', 'learning'],
    ['Where did I study?', 'studied'],
    ['What are my plans?', 'plans'],
    ['What do you know about me?', 'profile_name'],
    ['Can you tell me where I live?', 'profile_location'],
    ['Do you remember what my name is?', 'profile_name'],
    ['Wie heiße ich?', 'profile_name'],
    ['Wo wohne ich?', 'profile_location'],
    ["Où est-ce que j'habite ?", 'profile_location'],
    ['¿Dónde vivo?', 'profile_location'],
    ['Де я живу?', 'profile_location'],
    ['我住在哪里？', 'profile_location'],
  ])('%s wants %s', (question, predicate) => {
    expect(wants(question, predicate)).toBe(true);
  });

  it.each([
    ['What is my address?', 'Neubaugasse 38, 1070 Wien', true],
    ['What is my home address?', 'Vienna', false],
    ['What is my location?', 'Vienna', true],
  ])('%s: %s answers: %s', (question, value, answers) => {
    expect(wants(question, 'profile_location', value)).toBe(answers);
  });

  it.each([
    ['What is my favorite food?', 'favorite_color'],
    ['What car do I drive?', 'owns_guitar'],
    ["What is my brother's name?", 'relation_sister'],
    ['Where do I keep the keys?', 'profile_location'],
    ['Where do I work out?', 'profile_employer'],
    ['Where do I live during exams?', 'profile_location'],
    ['What is on my agenda?', 'profile_age'],
    ['When is the tax deadline?', 'deadline'],
    ['What is the name of the restaurant?', 'profile_name'],
    ['Where does Nora live?', 'profile_location'],
    ['When is the meeting?', 'profile_birthday'],
  ])('%s does not want %s', (question, predicate) => {
    expect(wants(question, predicate)).toBe(false);
  });

  it('that can be answered by yes wants the value it names', () => {
    expect(wants('Do I like olives?', 'likes', 'green olives')).toBe(true);
    expect(wants('Do I like olives?', 'likes', 'potato chips')).toBe(false);
    expect(wants('Am I vegetarian?', 'profile_identity', 'vegetarian')).toBe(true);
    expect(wants('Am I married?', 'profile_identity', 'vegetarian')).toBe(false);
  });

  it('about another person matches facts about that person', () => {
    expect(wants("What is Nora's favorite food?", 'favorite_food', 'soup', 'Nora')).toBe(true);
    expect(wants('Where does Nora live?', 'profile_location', 'Oslo', 'Nora')).toBe(true);
    expect(wants("What is Nora's favorite food?", 'favorite_food', 'soup', 'user')).toBe(false);
  });

  it('about a project wants facts of the project it names', () => {
    expect(wants('Who created Falcon?', 'creator', 'Ada', 'Falcon')).toBe(true);
    expect(wants('Who created Falcon?', 'creator', 'Ada', 'Osprey')).toBe(false);
    expect(wants('What is the indexing strategy?', 'indexing_strategy', 'hnsw', 'project')).toBe(true);
  });
});

describe('the routes', () => {
  it('lead to predicates that exist', () => {
    const known = (predicate: string): boolean =>
      kindOf(predicate) !== undefined ||
      predicateKinds.some((kind) => kind.predicate.startsWith(predicate)) ||
      kindOf(`x${predicate}`) !== undefined;
    expect(factRoutes.flatMap(({ predicates }) => predicates).filter((predicate) => !known(predicate))).toEqual([]);
  });

  it('reach every predicate', () => {
    const reached = (predicate: string): boolean =>
      factRoutes.some(({ predicates }) =>
        predicates.some((each) => each === predicate || (each.endsWith('_') && predicate.startsWith(each))),
      );
    const routed = predicateKinds.filter(({ unrouted }) => unrouted !== true).map(({ predicate }) => predicate);
    expect(routed.filter((predicate) => !reached(predicate))).toEqual([]);
  });
});
