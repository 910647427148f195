import { isPlain, plainFold } from '../language/languages.js';
import { portionsOf } from '../language/terms.js';
import type { Role } from '../model/conversation.js';
import type { Steps } from '../model/steps.js';

interface Summarisable {
  source: string;
  title?: string;
  messages: readonly { role: Role; text: string }[];
  topics: readonly string[];
}

const longestSentence = 220;
const longestSummary = 600;

/** A one-line description of a conversation for people. It is metadata, never evidence. */
export function conversationSummary(conversation: Summarisable): string {
  const subject = subjectOf(conversation);
  const snippets = conversation.messages.slice(0, 3).map(({ role, text }) => `${role}: ${firstSentence(text)}`);
  return cut(`${subject}: ${snippets.join('; ')}`, longestSummary);
}

/** A description of a topic or project from its newest conversations; `total` counts all of them. */
export function digestSummary(name: string, total: number, titles: readonly string[]): string {
  const noun = total === 1 ? 'conversation' : 'conversations';
  return cut(`${name}: ${total} ${noun}; latest: ${titles.map((title) => cut(title, 80)).join('; ')}`, longestSummary);
}

function subjectOf(conversation: Summarisable): string {
  if (conversation.title !== undefined) return conversation.title;
  if (conversation.topics.length > 0) return `Conversation about ${conversation.topics.slice(0, 4).join(', ')}`;
  return `${conversation.source} conversation`;
}

function firstSentence(text: string): string {
  // Only the beginning is read: a longer sentence is cut anyway.
  const flat = text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  const end = /[.!?。！？](?=\s|$|[^\p{P}\s]{2})/u.exec(flat);
  return cut(end === null ? flat : flat.slice(0, end.index + 1), longestSentence);
}

/** Cuts between characters; the ellipsis counts towards the length. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Topics by whole words and two-word phrases. A word is listed only if it hardly ever means something else: "rest",
 * "ts", "test", "server", "budget", "flight", "react" or "container" alone do not determine a topic, and "As an AI language
 * model" is how an assistant refuses.
 */
const topicRules: Record<string, string> = {
  python: 'python, pytest, pandas, numpy, django, fastapi, flask app, from flask, import flask, pip install',
  javascript:
    'javascript, typescript, node.js, nodejs, npm install, react.js, reactjs, react native, react app, react component, react components, react hook, react hooks, vue.js, deno',
  sql: 'sql, sqlite, postgres, postgresql, mysql, database schema, sql query',
  api: 'api, apis, rest api, restful, api endpoint, graphql, openapi, json-rpc, webhook',
  mcp: 'mcp, mcp server, context protocol',
  docker: 'docker, dockerfile, kubernetes, k8s, container image, docker compose',
  testing:
    'unit test, unit tests, integration test, integration tests, test suite, test coverage, vitest, pytest, jest',
  'machine-learning':
    'machine learning, deep learning, llm, llms, neural network, language models, embeddings, chatgpt',
  frontend: 'frontend, front-end, css, html, tailwind, user interface',
  backend: 'backend, back-end, microservice, microservices, message queue',
  git: 'git commit, git rebase, github, gitlab, pull request, merge conflict',
  travel:
    'flights to, flights from, cheap flights, direct flights, book flights, my flights, our flights, my flight, our flight, a flight, return flight, flight to, flight from, hotel, itinerary, airbnb, vacation, road trip, boarding pass, sightseeing',
  cooking: 'recipe, recipes, baking, preheat, meal prep, tablespoon, simmer',
  health:
    'my doctor, your doctor, a doctor, my symptoms, your symptoms, symptoms of, medication, diagnosis, therapist, blood pressure, allergy, vitamin',
  fitness: 'workout, workouts, marathon, yoga, gym, half marathon, strength training, push-ups',
  finance:
    'budgeting, monthly budget, household budget, family budget, mortgage, savings account, invoice, tax return, stock market, credit card, retirement savings, retirement plan, retirement account, retirement fund',
  music:
    'guitar, piano, new album, debut album, studio album, first album, concert, playlist, songwriting, violin, drum',
  books: 'novel, novels, book club, audiobook, paperback, memoir',
  film: 'movie, movies, film festival, tv series, netflix, documentaries, documentary film, documentary series',
  games: 'video game, video games, board game, playstation, nintendo, dungeons',
  pets: 'puppy, kitten, my dog, my cat, veterinarian, dog food, litter box',
  family: 'my wife, my husband, my daughter, my son, my mom, my dad, my sister, my brother, grandmother, grandfather',
  career: 'job interview, resume, cover letter, job offer, got promoted, linkedin profile, salary',
  education:
    'university, homework, thesis, semester, scholarship, a lecture, lecture notes, lecture hall, exams, tough exam, final exam, entrance exam',
  home: 'new apartment, apartment hunting, landlord, renovation, furniture, kitchen cabinets, interior design',
  gardening:
    'my garden, our garden, your garden, vegetable garden, herb garden, garden bed, garden beds, garden soil, gardening, seedlings, compost, tomato plants, fertilizer',
};

const topicOf = new Map<string, string[]>();
const phraseStarts = new Set<string>();
for (const [topic, phrases] of Object.entries(topicRules)) {
  for (const phrase of phrases.split(', ')) {
    topicOf.set(phrase, [...(topicOf.get(phrase) ?? []), topic]);
    const [first = '', second] = phrase.split(' ');
    if (second !== undefined) phraseStarts.add(first);
  }
}

const plainWord = /[a-z0-9]+(?:[-.'][a-z0-9]+)*/g;
const anyWord = /[\p{L}\p{N}]+(?:[-.'][\p{L}\p{N}]+)*/gu;

interface Mentions {
  phrases: Set<string>;
  count: number;
}

/**
 * In a longer text, a single phrase that occurs only once or twice is a remark, and the text is about something else.
 */
const longWords = 120;

/** The client's own topics first, then those found by the rules, in the order of the table. */
export function* findTopics(texts: readonly string[], given: readonly string[] = []): Steps<string[]> {
  const found = new Map<string, Mentions>();
  let count = 0;
  const add = (phrase: string): void => {
    for (const topic of topicOf.get(phrase) ?? []) {
      const mentions = found.get(topic) ?? { phrases: new Set(), count: 0 };
      mentions.phrases.add(phrase);
      mentions.count += 1;
      found.set(topic, mentions);
    }
  };
  for (const text of texts) {
    let previous = '';
    for (const portion of portionsOf(text)) {
      for (const word of plainFold(portion).match(isPlain(portion) ? plainWord : anyWord) ?? []) {
        count += 1;
        add(word);
        if (phraseStarts.has(previous)) add(`${previous} ${word}`);
        previous = word;
      }
      yield;
    }
  }
  const isAbout = (mentions: Mentions | undefined): boolean =>
    mentions !== undefined && (count <= longWords || mentions.phrases.size >= 2 || mentions.count >= 3);
  const named = Object.keys(topicRules).filter((topic) => isAbout(found.get(topic)));
  return [...new Set([...given, ...named])];
}
