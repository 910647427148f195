// Conversations made up by rule, the same ones for the same number, and a store filled with them without a server.
import { join } from 'node:path';
import { root } from '../ready.mjs';

const things =
  'canoe,sourdough,bicycle,greenhouse,telescope,sewing machine,router,violin,kayak rack,espresso machine'.split(',');
const places = 'Oslo,Rome,Kyoto,Lisbon,Leeds,Quito,Turku,Basel,Porto,Malmö'.split(',');
const problems = [
  'squeaks when it rains',
  'needs a new bearing',
  'lost its manual',
  'should be ready by spring',
  'was cheaper than expected',
  'has to fit through the door',
  'makes a strange noise at night',
  'wants cleaning twice a year',
];
const advice = [
  'Start with the smallest part and note what changes.',
  'Measure twice, then order the spare part with the longer warranty.',
  'Keep the receipt; the shop takes it back within thirty days.',
  'A drop of oil on the hinge is enough, more attracts dust.',
  'Write the date on the box, so that next year you know how old it is.',
];
const sources = ['chatgpt', 'claude', 'gemini', 'cursor', 'claude-code', 'open-webui', 'notes'];
const tags = ['house', 'travel', 'work', 'garden', 'music'];
const facts = [
  ['I live in Oslo.', 'I moved to Rome.', 'I moved to Lisbon.'],
  ['My favorite color is green.', 'My favorite color is blue.'],
  ['I drive a Volvo.', 'I drive a Honda.'],
  ["My dog's name is Biscuit."],
  ['I am allergic to walnuts.'],
  ['I speak Norwegian.'],
  ['I play the violin.'],
  ['I work for Fjordlight.'],
];
const days = 700;
const end = Date.parse('2026-11-01T09:00:00Z');

export function madeUp(index) {
  const pick = (list, salt) => list[(Math.imul(index + 1, 2_654_435_761 + salt * 97) >>> 8) % list.length];
  const thing = pick(things, 1);
  const place = pick(places, 2);
  const at = end - ((Math.imul(index + 7, 1_664_525) >>> 4) % days) * 86_400_000 - (index % 600) * 60_000;
  const messages = [
    {
      role: 'user',
      text: `About the ${thing} in ${place}: it ${pick(problems, 3)}. What should I do first? (${index})`,
    },
    { role: 'assistant', text: `${pick(advice, 4)} For a ${thing} in ${place} this is what most people do.` },
    { role: 'user', text: `And if the ${pick(things, 5)} has to go as well?` },
    { role: 'assistant', text: pick(advice, 6) },
  ];
  return {
    source: pick(sources, 7),
    title: `The ${thing} in ${place}, note ${index}`,
    timestamp: new Date(at).toISOString(),
    messages: messages.slice(0, 2 + (index % 3)),
    tags: index % 4 === 0 ? [pick(tags, 8)] : [],
    metadata: index % 10 < 3 ? { thread_id: `thread-${Math.floor(index / 10)}` } : {},
  };
}

/** What a person says about themselves, a year apart, so that newer values replace older ones. */
export function statements() {
  return facts.flatMap((texts) =>
    texts.map((text, index) => ({
      source: 'notes',
      title: 'About me',
      timestamp: new Date(end - (texts.length - index) * 120 * 86_400_000).toISOString(),
      messages: [{ role: 'user', text }],
    })),
  );
}

/** Fills the store of a folder; `prepare` can add accounts before it is closed. */
export async function seed(
  folder,
  { count, waiting = 12, told = statements(), extra = [], inFlight = 128, prepare = async () => {} },
) {
  const from = (path) => import(join(root, 'dist', path));
  const { loadConfig } = await from('config/load.js');
  const { openRuntime } = await from('app/open-runtime.js');
  const { operations } = await from('operations/table.js');
  const { localPrincipal } = await from('auth/access.js');
  const { config } = await loadConfig({ cwd: folder, environment: {}, flags: {} });
  const observer = { log() {}, count() {}, duration() {} };
  const runtime = await openRuntime({ config, observer, purpose: 'serve' });
  const call = { principal: localPrincipal, defaultSource: 'unknown' };
  const reviewing = { ...runtime.service, settings: { ...runtime.service.settings, insertPolicy: 'review_pending' } };
  const everything = [...told, ...extra, ...Array.from({ length: count }, (_, index) => madeUp(index))];
  for (let at = 0; at < everything.length; at += inFlight) {
    const part = everything.slice(at, at + inFlight);
    await Promise.all(part.map((each) => operations.insert.execute(runtime.service, call, each)));
  }
  const held = Array.from({ length: waiting }, (_, index) => ({
    ...madeUp(index + 10_000_000),
    title: `Waiting ${index}`,
  }));
  for (const each of held) await operations.insert.execute(reviewing, call, each);
  await runtime.service.vectors.settled();
  await prepare(runtime);
  await runtime.close();
}
