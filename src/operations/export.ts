import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { doer } from '../auth/audit.js';
import { createTimeSlice, runYielding, type TimeSlice } from '../concurrency/yielding.js';
import { valueEntered } from '../facts/by-hand.js';
import { described } from '../facts/reconcile.js';
import { type MemoryStatus, memoryStatuses } from '../model/conversation.js';
import type { Fact } from '../model/fact.js';
import { jsonPieces } from '../model/json.js';
import { finished, type Steps } from '../model/steps.js';
import { movingTurnLines, normalForm } from '../model/text.js';
import type { ConversationFilter } from '../records/conversations.js';
import type { ConversationRow } from '../records/store.js';
import { listMembers, listProjects, type Project } from './accounts.js';
import { htmlBegin, htmlEnd, writingHtml } from './export-html.js';
import { presentFact } from './facts/present.js';
import { filterOf, filterShape, projectId } from './fields.js';
import type { Call, Operation } from './operation.js';
import { type ConversationOutput, presentConversation } from './present.js';
import type { Service } from './service.js';

export const exportFormats = ['jsonl', 'markdown', 'html'] as const;

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('all'),
  project_id: projectId.optional().describe('Only this project; default all of yours'),
  format: z.enum(exportFormats).default('jsonl'),
});

type ExportInput = z.infer<typeof input>;

/** A streamed export: it may be larger than memory. */
export interface Export {
  format: ExportInput['format'];
  pieces: AsyncGenerator<ExportPiece>;
}

export interface ExportPiece {
  text: string;
  /** The file name for a piece that is a whole conversation in Markdown. */
  name?: string;
}

/** Exports everything the caller may see, in an open format that `import threadkeep` can read back. */
export const exportMemory: Operation<ExportInput, Export> = {
  name: 'export',
  summary: 'Conversations, facts with their sources and projects, as JSON lines, Markdown or one HTML page',
  input,
  output: z.custom<Export>(),
  async run(service, call, request) {
    // Checked now, so that a project without read access is rejected before the first byte.
    if (request.project_id !== undefined) visibilityOf(call.principal, { projectId: request.project_id });
    const { results } = await listProjects.run(service, call, {});
    const projects = results.filter(({ id }) => request.project_id === undefined || id === request.project_id);
    // Checks the store first, because once streaming has begun, a failure can only abort the response.
    await service.records.conversations.countAll({ statuses: memoryStatuses });
    const event = { event: 'memory_exported' as const, ...doer(call.principal), projectId: request.project_id };
    // Export must work when the store cannot be written, so the audit entry is then queued for later.
    await service.audit.record(event).catch(() => service.audit.count(event));
    return { format: request.format, pieces: piecesOf(service, call, request, projects) };
  },
};

async function* piecesOf(
  service: Service,
  call: Call,
  request: ExportInput,
  projects: readonly Project[],
): AsyncGenerator<ExportPiece> {
  const asJson = request.format === 'jsonl';
  // A conversation may have megabytes, so this yields to other requests while one is written and between two.
  const slice = createTimeSlice();
  if (request.format === 'html') yield { text: htmlBegin('Threadkeep') };
  if (asJson) yield line({ type: 'threadkeep-export', version: 1, exported_at: service.now() });
  for (const project of projects) {
    if (asJson) yield line({ type: 'project', project, members: await membersOf(service, call, project) });
    for await (const conversation of conversationsOf(service, call, { ...request, project_id: project.id })) {
      if (asJson) yield { text: await runYielding(writingLine({ type: 'conversation', conversation }), { slice }) };
      else if (request.format === 'html') yield { text: await runYielding(writingHtml(conversation), { slice }) };
      else yield await markdownPiece(conversation, slice);
    }
    if (asJson) yield* factLines(service, call, request, project.id);
  }
  if (request.format === 'html') yield { text: htmlEnd };
}

function line(value: object): ExportPiece {
  return { text: `${JSON.stringify(value)}\n` };
}

function* writingLine(value: object): Steps<string> {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    yield;
  }
  return `${text}\n`;
}

async function markdownPiece(conversation: ConversationOutput, slice: TimeSlice): Promise<ExportPiece> {
  return { text: await runYielding(writingMarkdown(conversation), { slice }), name: markdownName(conversation) };
}

/** The other members, if the caller manages the project. */
async function membersOf(service: Service, call: Call, { id, role }: Project): Promise<object[] | undefined> {
  if (role !== 'admin') return undefined;
  const { results } = await listMembers.run(service, call, { project_id: id });
  return results.length === 0 ? undefined : results.map(({ user, role: theirs }) => ({ user, role: theirs }));
}

const pageSize = 50;

/** Oldest first, so that on import every conversation finds those it refers to. */
async function* conversationsOf(
  { records }: Service,
  call: Call,
  request: ExportInput,
): AsyncGenerator<ConversationOutput> {
  const visibility = visibilityOf(call.principal, { projectId: request.project_id, status: request.memory_status });
  const filter = filterOf(request);
  let last: ConversationRow | undefined;
  do {
    const after = last === undefined ? undefined : { value: last.at, id: last.id };
    const rows = await records.conversations.inTime(visibility, filter, { direction: 'asc', limit: pageSize, after });
    const messages = await records.conversations.messagesOf(rows.map(({ id }) => id));
    for (const row of rows) yield presentConversation(row, messages.get(row.id) ?? []);
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last !== undefined);
}

async function* factLines(
  service: Service,
  call: Call,
  request: ExportInput,
  projectId: string,
): AsyncGenerator<ExportPiece> {
  const part = { projectId, filter: filterOf(request), status: request.memory_status };
  for await (const fact of exportedFacts(service, call, part)) {
    const { object_key, superseded_by_hand } = fact;
    const changes = fact.changes?.map((change) => ({ ...change, value: valueEntered(fact, change) }));
    // The user's decisions cannot be derived from the messages; the key identifies both facts on import.
    yield line({ type: 'fact', fact: presentFact(fact), object_key, superseded_by_hand, changes });
  }
}

/** The conversations that an export contains. */
interface Part {
  projectId: string;
  filter: ConversationFilter;
  status: MemoryStatus | 'all';
}

/** The facts of an export, newest statement first; of a partial export only those that its conversations state. */
async function* exportedFacts({ records }: Service, call: Call, part: Part): AsyncGenerator<Fact> {
  const isWhole = part.status === 'all' && Object.keys(part.filter).length === 0;
  const visibility = visibilityOf(call.principal, { projectId: part.projectId });
  const exported = visibilityOf(call.principal, { projectId: part.projectId, status: part.status });
  let after: { value: string; id: string } | undefined;
  do {
    const facts = await records.facts.search(visibility, {}, { limit: pageSize, after });
    if (isWhole) yield* facts;
    else {
      const ids = [...new Set(facts.flatMap(({ conversation_ids }) => conversation_ids))];
      const rows = await records.conversations.byIds(exported, ids, part.filter);
      const there = new Set(rows.map(({ id }) => id));
      for (const fact of facts) yield* statedBy(fact, there);
    }
    const last = facts.at(-1);
    after = last === undefined || facts.length < pageSize ? undefined : { value: last.stated_at, id: last.id };
  } while (after !== undefined);
}

/** The fact as stated by these conversations; empty when they do not state it. */
function statedBy(fact: Fact, conversationIds: ReadonlySet<string>): Fact[] {
  const sources = fact.sources.filter(({ conversation_id }) => conversationIds.has(conversation_id));
  if (sources.length === 0) return [];
  if (sources.length === fact.sources.length) return [fact];
  const { status, superseded_at: at, superseded_by: by } = fact;
  const verdict = { status, ...(at === undefined ? {} : { at }), ...(by === undefined ? {} : { by }) };
  return [described({ ...fact, sources }, verdict)];
}

/** A conversation as readable Markdown. A line that looks like the start of a turn is indented. */
export function markdownOf(conversation: ConversationOutput): string {
  return finished(writingMarkdown(conversation));
}

function* writingMarkdown({
  id,
  title,
  source,
  timestamp,
  messages = [],
  aliases = [],
  metadata,
}: ConversationOutput): Steps<string> {
  const aboutOf = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' · ');
  const tags = Array.isArray(metadata.tags) ? metadata.tags.map((tag) => `#${String(tag)}`) : [];
  const about = aboutOf(source, timestamp, ...tags);
  const others = aliases.map((alias) => {
    const named = (alias.tags ?? []).map((tag) => `#${tag}`);
    return ` \\\nAlso: ${aboutOf(alias.title, alias.source, alias.timestamp, ...named)}`;
  });
  const turns: string[] = [];
  for (const { role, text, timestamp: said } of messages) {
    const speaker = role === 'user' ? 'User' : 'Assistant';
    const shown = yield* movingTurnLines(text);
    turns.push(`**${speaker}:**${said === undefined ? '' : ` ${said}`}\n\n${shown}\n`);
    yield;
  }
  return `# ${title ?? 'Untitled'}\n\n${about} \\\n${id}${others.join('')}\n\n${turns.join('\n')}\n---\n\n`;
}

/** The date, the title as far as file systems allow, and enough of the id to be unique. */
export function markdownName({ id, title, source, timestamp }: ConversationOutput): string {
  const words = normalForm(title ?? source, 'NFC').replace(/[^\p{L}\p{N}]+/gu, '-');
  const short = [...words]
    .slice(0, 60)
    .join('')
    .replace(/^-+|-+$/g, '');
  return `${timestamp.slice(0, 10)} ${short === '' ? 'untitled' : short} ${id.slice(0, 8)}.md`;
}
