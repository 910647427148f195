// The types of the library, written from the schemas that check every call. Needs a build, because it reads what ships.
import { z } from 'zod';

/** Shapes that occur in more than one place get a name. `of` leads to them from the operations. */
export const named = {
  MessageInput: ({ insert }) => insert.documented.options[0].shape.messages.element,
  Message: ({ retrieve }) => retrieve.output.shape.memory.shape.messages.unwrap().element,
  Conversation: ({ retrieve }) => retrieve.output.shape.memory,
  ConversationResult: ({ search }) => search.output.shape.results.element.options[0],
  ChunkResult: ({ search }) => search.output.shape.results.element.options[1],
  CompactResult: ({ search }) => search.output.shape.results.element.options[2],
  ThreadResult: ({ search }) => search.output.shape.results.element.options[3],
  ListedConversation: ({ conversations_list: list }) => list.output.shape.results.element,
  TimelineEntry: ({ timeline }) => timeline.output.shape.results.element,
  Fact: ({ facts_search: facts }) => facts.output.shape.results.element,
  Person: ({ people_list: people }) => people.output.shape.results.element,
  ChunkCitation: ({ ask }) => ask.output.shape.citations.element.options[0],
  FactCitation: ({ ask }) => ask.output.shape.citations.element.options[1],
  ChunkEvidence: ({ ask }) => ask.output.shape.evidence.element.options[0],
  FactEvidence: ({ ask }) => ask.output.shape.evidence.element.options[1],
  CitedMessage: ({ ask }) => sentenceOf(ask).shape.evidence.element.options[0],
  CitedFact: ({ ask }) => sentenceOf(ask).shape.evidence.element.options[1],
  AnswerSentence: ({ ask }) => sentenceOf(ask),
  ImportJob: ({ imports_get: get }) => get.output.shape.job,
  Project: ({ project_list: list }) => list.output.shape.results.element,
  Member: ({ project_members: members }) => members.output.shape.results.element,
};

const sentenceOf = (ask) => ask.output.shape.composition.unwrap().shape.sentences.unwrap().element;

/** The operations of the library by the name of their types. Those without `input` take none or one of another type. */
export const calls = {
  Insert: { name: 'insert', input: ({ insert }) => insert.documented.options[0] },
  Validate: { name: 'validate', input: undefined },
  Search: { name: 'search' },
  Retrieve: { name: 'retrieve' },
  Context: { name: 'context' },
  Ask: { name: 'ask' },
  ConversationList: { name: 'conversations_list' },
  ConversationUpdate: { name: 'conversations_update' },
  Activity: { name: 'activity' },
  Timeline: { name: 'timeline' },
  FactSearch: { name: 'facts_search' },
  FactSupersede: { name: 'facts_supersede' },
  FactRestore: { name: 'facts_restore' },
  FactAdd: { name: 'facts_add' },
  FactCorrect: { name: 'facts_correct' },
  FactRetract: { name: 'facts_retract' },
  FactPin: { name: 'facts_pin' },
  FactUnpin: { name: 'facts_unpin' },
  FactDetach: { name: 'facts_detach' },
  FactUndo: { name: 'facts_undo' },
  Profile: { name: 'profile_get' },
  People: { name: 'people_list' },
  PendingApprove: { name: 'pending_approve' },
  PendingReject: { name: 'pending_reject' },
  Forget: { name: 'forget' },
  ProjectList: { name: 'project_list', input: undefined },
  ProjectGet: { name: 'project_get' },
  ProjectMembers: { name: 'project_members' },
  ProjectMemberSet: { name: 'project_member_set' },
  ProjectMemberRemove: { name: 'project_member_remove' },
  Export: { name: 'export', output: undefined },
  Import: { name: 'import', without: ['file'] },
  ImportsCreate: { name: 'imports_create', without: ['file'] },
  ImportsList: { name: 'imports_list', input: undefined },
  ImportsGet: { name: 'imports_get' },
  ImportsCancel: { name: 'imports_cancel' },
};

export function wireTypes(operations) {
  const lines = ['// Written by `npm run docs` from the schemas of the operations. Do not edit.', ''];
  const shapes = Object.entries(named).map(([id, find]) => [id, find(operations)]);
  for (const [id, schema] of shapes) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  try {
    for (const [id, schema] of shapes)
      lines.push(...declaration(id, schema, id.endsWith('Input') ? 'input' : 'output'));
    for (const [id, call] of Object.entries(calls)) {
      const operation = operations[call.name];
      const given = 'input' in call ? call.input?.(operations) : operation.input;
      const summary = `${operation.summary}.`;
      if (given !== undefined) lines.push(...declaration(`${id}Input`, given, 'input', { ...call, summary }));
      if (!('output' in call)) lines.push(...declaration(`${id}Output`, operation.output, 'output', {}));
    }
  } finally {
    for (const [, schema] of shapes) z.globalRegistry.remove(schema);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function declaration(id, schema, io, { without = [], summary } = {}) {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const own = whole.$ref === undefined ? whole : $defs[whole.$ref.split('/').at(-1)];
  for (const field of without) delete own.properties?.[field];
  const body = typeOf(own, { io, indent: '' });
  const text = body.startsWith('{') ? `export interface ${id} ${body}` : `export type ${id} = ${body};`;
  const about = summary ?? own.description;
  return [...(about === undefined ? [] : [`/** ${about} */`]), text, ''];
}

function typeOf(schema, place) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, place)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  // A flag that an address may carry as a word is a boolean to a program.
  if (either?.some(({ type }) => type === 'boolean')) return 'boolean';
  if (either !== undefined) return [...new Set(either.map((each) => typeOf(each, place)))].join(' | ');
  if (schema.type === 'array') return arrayOf(schema, place);
  if (schema.type === 'object') return objectOf(schema, place);
  return (
    { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  );
}

function literal(value) {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function arrayOf({ items = {} }, place) {
  const item = typeOf(items, place);
  const list = /[|{]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  return place.io === 'input' ? `readonly ${list}` : list;
}

function objectOf({ properties = {}, required = [], additionalProperties: rest }, { io, indent }) {
  const inner = { io, indent: `${indent}  ` };
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const optional = !required.includes(name);
    const missing = optional && io === 'input' ? ' | undefined' : '';
    const field = `${inner.indent}${name}${optional ? '?' : ''}: ${typeOf(schema, inner)}${missing};`;
    return schema.description === undefined ? [field] : [`${inner.indent}/** ${schema.description} */`, field];
  });
  // `additionalProperties: {}` is an object that keeps what it does not know.
  const open = typeof rest === 'object' ? typeOf(rest, inner) : undefined;
  if (fields.length === 0) return open === undefined ? 'object' : `Record<string, ${open}>`;
  if (open !== undefined) fields.push(`${inner.indent}[key: string]: ${open};`);
  return ['{', ...fields, `${indent}}`].join('\n');
}
