import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { memoryStatuses } from '../model/conversation.js';
import type { ConversationRow } from '../records/rows.js';
import { filterOf, filterShape } from './conversation-filter.js';
import { presentFact } from './facts/present.js';
import type { Call, Operation } from './operation.js';
import { type ConversationOutput, presentConversation } from './present.js';
import type { Service } from './service.js';

export const exportFormats = ['jsonl', 'markdown'] as const;

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('all'),
  project_id: z.string().optional().describe('Only this project; default all of yours'),
  format: z.enum(exportFormats).default('jsonl'),
});

type ExportInput = z.infer<typeof input>;

/** The export piece by piece: it may be larger than memory. */
export interface Export {
  format: ExportInput['format'];
  pieces: AsyncGenerator<string>;
}

/** Everything the caller may see, in a form that any program can read and `import threadkeep` takes back. */
export const exportMemory: Operation<ExportInput, Export> = {
  name: 'export',
  summary: 'Conversations, facts with their sources and projects, as JSON lines or Markdown',
  scope: 'memory:read',
  input,
  output: z.custom<Export>(),
  async run(service, call, request) {
    const projects = projectsOf(call, request);
    // Asked for now, so that a project that may not be read is refused before the first byte.
    for (const project of projects) visibilityOf(call.principal, { projectId: project });
    // So is a store that does not answer: later the answer could only break off.
    await service.records.conversations.countAll({ statuses: memoryStatuses });
    return { format: request.format, pieces: piecesOf(service, call, request, projects) };
  },
};

function projectsOf({ principal }: Call, { project_id }: ExportInput): string[] {
  if (project_id !== undefined) return [project_id];
  return [...new Set([principal.defaultProjectId, ...(principal.memberships?.keys() ?? [])])];
}

async function* piecesOf(
  service: Service,
  call: Call,
  request: ExportInput,
  projects: readonly string[],
): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  const asJson = request.format === 'jsonl';
  if (asJson) yield line({ type: 'threadkeep-export', version: 1, exported_at: service.now() });
  for (const projectId of projects) {
    if (asJson) yield line({ type: 'project', project: { id: projectId } });
    for await (const conversation of conversationsOf(service, call, { ...request, project_id: projectId })) {
      yield asJson ? line({ type: 'conversation', conversation }) : markdownOf(conversation);
    }
    if (asJson) yield* factLines(service, call, projectId, line);
  }
}

const pageSize = 50;

/** The oldest first: read again in this order, every conversation finds those it refers to. */
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
  { records }: Service,
  call: Call,
  projectId: string,
  line: (value: object) => string,
): AsyncGenerator<string> {
  const visibility = visibilityOf(call.principal, { projectId });
  let after: { value: string; id: string } | undefined;
  do {
    const facts = await records.facts.search(visibility, {}, { limit: pageSize, after });
    for (const fact of facts) yield line({ type: 'fact', fact: presentFact(fact) });
    const last = facts.at(-1);
    after = last === undefined || facts.length < pageSize ? undefined : { value: last.stated_at, id: last.id };
  } while (after !== undefined);
}

function markdownOf({ id, title, source, timestamp, messages = [], metadata }: ConversationOutput): string {
  const tags = Array.isArray(metadata.tags) ? metadata.tags.map((tag) => `#${String(tag)}`) : [];
  const about = [source, timestamp, ...tags].join(' · ');
  const turns = messages.map(({ role, text }) => `**${role === 'user' ? 'User' : 'Assistant'}:**\n\n${text}\n`);
  return `# ${title ?? 'Untitled'}\n\n${about} \\\n${id}\n\n${turns.join('\n')}\n---\n\n`;
}
