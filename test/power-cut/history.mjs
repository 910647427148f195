/**
 * The states that a recording was allowed to end in: the database after each commit, checked in depth once, and the commit
 * from which on each acknowledged operation must be there. Whatever a crash leaves has to be one of them, byte by byte.
 */
import { createDisk } from './disk.mjs';
import { firstCells } from './judge.mjs';

const WAL_FRAME_HEADER = 24;

/** What holds whatever was cut off: no message without its conversation, no conversation without its messages. */
const invariants = {
  'a conversation has all its messages':
    'SELECT count(*) FROM conversations AS c WHERE message_count <> (SELECT count(*) FROM messages WHERE conversation_id = c.id)',
  'a conversation has all its chunks':
    'SELECT count(*) FROM conversations AS c WHERE chunk_count <> (SELECT count(*) FROM chunks WHERE conversation_id = c.id)',
  'a message belongs to a conversation':
    'SELECT count(*) FROM messages WHERE conversation_id NOT IN (SELECT id FROM conversations)',
  'a chunk belongs to a conversation':
    'SELECT count(*) FROM chunks WHERE conversation_id NOT IN (SELECT id FROM conversations)',
  'a chunk has its search terms': 'SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT id FROM chunks_terms_docsize)',
  'search terms belong to a chunk':
    'SELECT count(*) FROM chunks_terms_docsize WHERE id NOT IN (SELECT seq FROM chunks)',
  'a conversation has a summary': `SELECT count(*) FROM conversations WHERE id NOT IN (SELECT target_id FROM summaries WHERE kind = 'conversation')`,
  'a fact is stated by conversations that exist':
    'SELECT count(*) FROM facts, json_each(conversation_ids) AS source WHERE source.value NOT IN (SELECT id FROM conversations)',
  'a topic belongs to a conversation':
    'SELECT count(*) FROM topics WHERE conversation_id NOT IN (SELECT id FROM conversations)',
  'a thread began with a conversation':
    'SELECT count(*) FROM threads WHERE conversation_id NOT IN (SELECT id FROM conversations)',
};

/** Answers that may overtake each other: an operation is written at most so many marks before its own. */
const together = 16;

/**
 * @returns {{ digests: Map<string, number>, required: number[], commits: number, operations: Record<string, number> }}
 *   which commit a database is, and for each record the commit that must be there when the cut comes right after it
 */
export async function historyOf(records, judge) {
  const disk = createDisk();
  const marks = records.flatMap(({ kind, data }, index) =>
    kind === 'mark' ? [{ ...JSON.parse(data.toString()), index }] : [],
  );
  const digests = new Map();
  const required = [];
  let [commits, needed, waiting, commitNext] = [0, 0, marks, false];

  for (const [index, record] of records.entries()) {
    disk.apply(record);
    if (commitNext) await addCommit();
    commitNext = isCommitFrame(record);
    if (record.kind === 'mark') needed = Math.max(needed, writtenBy(index));
    required.push(needed);
  }
  return { digests, required, commits, operations: countOf(marks) };

  async function addCommit() {
    commits++;
    const { digest } = await judge.open(disk.current(), (database) => {
      checkDeeply(database, commits);
      for (const mark of waiting.slice(0, together)) if (holds(database, mark)) mark.commit = commits;
    });
    waiting = waiting.filter(({ commit }) => commit === undefined);
    digests.set(digest, commits);
  }

  function writtenBy(index) {
    const mark = marks.find((each) => each.index === index);
    if (mark?.commit === undefined) throw new Error(`${mark?.operation} was acknowledged before it was written`);
    return mark.commit;
  }
}

function holds(database, mark) {
  return mark.holds.every(([text, ...parameters]) => firstCells(database, text, ...parameters)[0] === 1);
}

function countOf(marks) {
  const counts = {};
  for (const { operation } of marks) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

export function checkDeeply(database, commit) {
  const problems = firstCells(database, 'PRAGMA integrity_check');
  if (problems[0] !== 'ok') throw new Error(`commit ${commit}: ${problems.join('; ')}`);
  for (const [rule, text] of Object.entries(invariants)) {
    const [broken] = firstCells(database, text);
    if (broken !== 0) throw new Error(`commit ${commit}: not every case of "${rule}"`);
  }
}

/** The header of the last frame of a commit names the size of the database; the page itself follows in the next write. */
function isCommitFrame({ kind, name, data }) {
  return kind === 'write' && name.endsWith('-wal') && data.length === WAL_FRAME_HEADER && data.readUInt32BE(4) > 0;
}
