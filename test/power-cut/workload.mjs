/** The operations whose acknowledgement is a promise, each with what must be readable once it was answered. */

const save = { save_intent: 'explicit_user_request' };
const cities = ['Lisbon', 'Oslo', 'Turin', 'Ghent', 'Porto', 'Basel', 'Malmo', 'Riga', 'Cork', 'Graz'];
const drinks = ['tea', 'coffee', 'cocoa', 'cider', 'milk', 'juice', 'lemonade', 'water'];

/**
 * A fresh start, `rounds` rounds of every kind of operation, with a restart and a kill between them, and an end in order.
 * One operation at a time, so that a mark follows its own writes; the last insert of a round is eight at once, which share
 * a commit.
 */
export async function sendOperations({ start, mark, run, seed, rounds }) {
  let server = await start();
  try {
    for (let round = 0; round < rounds; round++) {
      const client = { server, mark, run, word: `w${seed}r${round}`, round };
      await sendRound(client);
      if (round === 0) addToken(client);
      if (round % 4 === 1) await server.stop();
      else if (round % 4 === 3) await server.kill();
      if (round % 2 === 1) server = await start();
    }
    await server.stop();
  } finally {
    await server.kill();
  }
}

async function sendRound(client) {
  const { word, round } = client;
  const city = cities[round % cities.length];
  const drink = drinks[round % drinks.length];
  const kept = await insert(client, `${word}a`, [`I live in ${city} ${word}.`, `Noted, ${city}.`, `I like ${drink}.`]);
  await append(client, `${word}t`);
  await decide(client, 'approve', await insertPending(client, `${word}p`));
  await decide(client, 'reject', await insertPending(client, `${word}q`));
  await tag(client, kept);
  if (round > 0) await supersede(client, { old: drinks[round - 1], next: drink });
  await importTwo(client, `${word}i`);
  const going = await insert(client, `${word}f`, [`This will be forgotten: ${word}f.`, 'As you wish.']);
  if (round % 3 === 0) await forget(client, going);
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => insert(client, `${word}c${index}`, [`Together ${word}c${index}.`, 'Yes.'])),
  );
}

/** With its messages, chunks and summary. */
function storedWhole(id, messages) {
  return [
    ['SELECT count(*) = 1 FROM conversations WHERE id = ?', id],
    ['SELECT count(*) >= ? FROM messages WHERE conversation_id = ?', messages, id],
    ['SELECT count(*) >= ? FROM chunks WHERE conversation_id = ?', messages, id],
    [`SELECT count(*) = 1 FROM summaries WHERE kind = 'conversation' AND target_id = ?`, id],
  ];
}

function conversation(word, texts, parts = {}) {
  const messages = texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }));
  return { source: 'power-cut', title: `About ${word}`, messages, metadata: save, ...parts };
}

async function insert({ server, mark }, word, texts) {
  const { id } = await server.post('/memory/insert', conversation(word, texts));
  mark({ operation: 'insert', holds: storedWhole(id, texts.length) });
  return id;
}

async function append({ server, mark }, word) {
  const metadata = { ...save, upstream_thread_id: word };
  const texts = [`The beginning of ${word}.`, 'Go on.'];
  const first = await server.post('/memory/insert', conversation(word, texts, { metadata }));
  mark({ operation: 'insert', holds: storedWhole(first.id, 2) });
  const longer = [...texts, `The middle of ${word}.`, `The end of ${word}.`];
  const { id, appended_messages } = await server.post('/memory/insert', conversation(word, longer, { metadata }));
  if (id !== first.id || appended_messages !== 2) throw new Error('the second capture was not appended');
  mark({ operation: 'append', holds: storedWhole(id, 4) });
}

async function insertPending({ server, mark }, word) {
  const { id, memory_status } = await server.post(
    '/memory/insert',
    conversation(word, [`Perhaps ${word}.`, 'Perhaps.'], { metadata: {} }),
  );
  if (memory_status !== 'pending_review') throw new Error(`expected a memory under review, not ${memory_status}`);
  mark({ operation: 'insert for review', holds: storedWhole(id, 2) });
  return id;
}

async function decide({ server, mark }, decision, id) {
  await server.post(`/memory/pending/${decision}`, { id });
  const status = decision === 'approve' ? 'active' : 'rejected';
  const states = decision === 'approve' ? `('pending', 'indexed')` : `('held')`;
  const holds = [
    ['SELECT memory_status = ? FROM conversations WHERE id = ?', status, id],
    [`SELECT count(*) = 2 FROM chunks WHERE conversation_id = ? AND index_state IN ${states}`, id],
  ];
  mark({ operation: decision, holds });
}

async function tag({ server, mark, word }, id) {
  await server.post('/memory/conversations/update', { id, title: `Renamed ${word}`, add_tags: [word] });
  const holds = [
    ['SELECT title = ? FROM conversations WHERE id = ?', `Renamed ${word}`, id],
    [
      'SELECT count(*) = 1 FROM conversations AS c, json_each(c.tags) AS tag WHERE c.id = ? AND tag.value = ?',
      id,
      word,
    ],
  ];
  mark({ operation: 'update', holds });
}

async function supersede({ server, mark }, { old, next }) {
  const find = async (object) => {
    // Each search waits for messages that have not been tagged yet, but not for ever, and the machine may be busy.
    for (let attempt = 0; attempt < 5; attempt++) {
      const { results } = await server.post('/memory/facts/search', { query: object, status: 'all' });
      const found = results.find((fact) => fact.object_normalized === object || fact.object_raw === object);
      if (found !== undefined) return found.id;
    }
    return undefined;
  };
  const [fact_id, superseded_by] = [await find(old), await find(next)];
  if (fact_id === undefined || superseded_by === undefined || fact_id === superseded_by) {
    throw new Error(`no facts about ${old} and ${next}`);
  }
  await server.post('/memory/facts/supersede', { fact_id, superseded_by });
  mark({
    operation: 'supersede',
    holds: [['SELECT superseded_by = ? FROM facts WHERE id = ?', superseded_by, fact_id]],
  });
}

async function importTwo({ server, mark }, word) {
  const lines = [0, 1].map((index) => conversation(`${word}${index}`, [`Imported ${word}${index}.`, 'Kept.']));
  const body = lines.map((line) => JSON.stringify({ type: 'conversation', conversation: line })).join('\n');
  await server.post('/memory/import?format=threadkeep', body);
  const holds = [0, 1].map((index) => [
    'SELECT count(*) = 1 FROM messages WHERE text = ?',
    `Imported ${word}${index}.`,
  ]);
  mark({ operation: 'import', holds });
}

async function forget({ server, mark }, id) {
  await server.post('/memory/forget', { ids: [id], dry_run: false });
  const none = ['conversations', 'messages', 'chunks'].map((table) => [
    `SELECT count(*) = 0 FROM ${table} WHERE ${table === 'conversations' ? 'id' : 'conversation_id'} = ?`,
    id,
  ]);
  mark({ operation: 'forget', holds: [...none, ['SELECT count(*) = 1 FROM tombstones WHERE id LIKE ?', `%${id}%`]] });
}

/** From a second process, while the server runs. */
function addToken({ run, mark, word }) {
  run('admin', 'user', 'create', word);
  mark({ operation: 'user', holds: [['SELECT count(*) = 1 FROM users WHERE id = ?', word]] });
  run('admin', 'token', 'create', '--user', word);
  mark({ operation: 'token', holds: [['SELECT count(*) = 1 FROM tokens WHERE user_id = ?', word]] });
}
