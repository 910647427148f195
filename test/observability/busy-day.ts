import { both, opening, stateless } from '../support/mcp.js';

/** A word for every place a person or a program can put text into. None of them may come out anywhere but in answers. */
export const words = {
  text: 'zqtext',
  title: 'zqtitle',
  tag: 'zqtag',
  query: 'zqquery',
  thread: 'zqthread',
  note: 'zqnote',
  source: 'zqsource',
  project: 'zqproject',
  name: 'zqname',
  token: 'zqtoken',
  file: 'zqfile',
  header: 'zqheader',
  cursor: 'zqcursor',
  path: 'zqpath',
  value: 'zqvalue',
} as const;

/** Names of fields: whoever sent one is told which it was. */
export const fieldWord = 'zqfieldname';

export interface Request {
  path: string;
  init: RequestInit;
}

const json = { 'content-type': 'application/json' };
const { text, title, tag, query, thread, note, source, project, token, file, header, cursor, path, value } = words;

function post(to: string, body: unknown, headers: Record<string, string> = {}): Request {
  return { path: to, init: { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) } };
}

function conversation(number: number): Record<string, unknown> {
  return {
    source,
    title: `${title} ${number}`,
    messages: [
      { role: 'user', text: `My name is ${text} and I live in ${text}town, number ${number}.` },
      { role: 'assistant', text: `I keep ${text} ${number}.` },
    ],
    metadata: {
      tags: [tag],
      upstream_thread_id: `${thread}-${number}`,
      summary: note,
      own: { [fieldWord]: note },
      capture_client: note,
      save_intent_source: note,
      model: note,
    },
  };
}

function tool(name: string, given: object): Request {
  const params = { name, arguments: given, _meta: stateless };
  const headers = { ...both, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
}

function resource(uri: string): Request {
  const params = { uri, _meta: stateless };
  const headers = { ...both, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': uri };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params }, headers);
}

function form(number: number): Request {
  const body = new FormData();
  body.set('format', 'json');
  body.set('source', source);
  body.set('file', new File([JSON.stringify([{ ...conversation(number), id: thread }])], `${file}.json`));
  return { path: '/memory/import', init: { method: 'POST', body } };
}

/** Everything a client may do, well and badly; `known` is an id that exists. */
export function busyDay(number: number, known: string): Request[] {
  const good = conversation(number);
  const get = (to: string, headers: Record<string, string> = {}): Request => ({ path: to, init: { headers } });
  return [
    post('/memory/insert', good),
    post('/memory/insert', good, { 'idempotency-key': `${header}-${number}`, 'user-agent': header, cookie: header }),
    post('/memory/insert', { ...good, title: 5 }),
    post('/memory/insert', { ...good, [fieldWord]: value }),
    post('/memory/insert', { ...good, id: value }),
    post('/memory/insert', { ...good, raw_html: value }),
    post('/memory/insert', { ...good, timestamp: value }),
    post('/memory/insert', { ...good, project_id: project }),
    post('/memory/insert', { ...good, metadata: { save_intent: value, memory_status: value } }),
    post('/memory/insert', { messages: [{ role: value, text }] }),
    post('/memory/insert', text),
    { path: '/memory/insert', init: { method: 'POST', headers: json, body: `{"messages": "${text}` } },
    { path: '/memory/insert', init: { method: 'POST', headers: { 'content-type': header }, body: text } },
    post('/memory/search', { query: `${query} ${text}`, tags: [tag], thread_id: `${source}:${thread}` }),
    post('/memory/search', { query, source, result_mode: 'threads' }),
    post('/memory/search', { query, cursor }),
    post('/memory/search', { query, date_from: value }),
    post('/memory/search', { query, result_mode: value }),
    post('/memory/ask', { question: `Where does ${query} live?` }),
    post('/memory/ask', { question: query, project_id: project }),
    post('/memory/retrieve', { id: value }),
    post('/memory/retrieve', { id: known }),
    post('/memory/conversations/list', { source, cursor }),
    post('/memory/conversations/update', { id: known, title: `${title} again`, tags: [tag] }),
    post('/memory/facts/search', { subject: value, query }),
    post('/memory/facts/supersede', { fact_id: value, superseded_by: value }),
    post('/memory/profile/get', { subject: value }),
    post('/memory/forget', { id: value }),
    post('/memory/pending/approve', { id: value }),
    post('/memory/projects/members/set', { project_id: project, user: words.name, role: value }),
    post('/memory/tokens/revoke', { id: token }),
    get(`/memory/projects/${project}`),
    get(`/memory/projects/${project}/members`),
    get(`/memory/export?source=${source}&tags=${tag}`),
    get(`/memory/export?format=${value}`),
    post(`/memory/import?format=json&filename=${file}.json`, [{ ...good, id: thread }]),
    { path: `/memory/import?format=${value}`, init: { method: 'POST', headers: json, body: text } },
    {
      path: `/memory/import?format=json&filename=${file}.zip`,
      init: { method: 'POST', headers: { 'content-type': 'application/zip', 'idempotency-key': header }, body: text },
    },
    form(number),
    tool('memory_insert', { conversation_json: good }),
    tool('memory_insert', { conversation_json: value }),
    tool('memory_search', { query: `${query} ${text}`, tags: [tag] }),
    tool('memory_search', { query, cursor }),
    tool('memory_ask', { question: `Where does ${query} live?` }),
    tool('memory_retrieve', { id: value }),
    tool('memory_fact_search', { subject: value }),
    tool('memory_project_get', { project_id: project }),
    tool(value, { query }),
    resource(`memory://search/${query}`),
    resource(`memory://timeline/${value}`),
    post('/mcp', { jsonrpc: '2.0', id: 1, method: value, params: { text } }, { ...both, 'mcp-session-id': header }),
    post(
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { ...opening, clientInfo: { name: header, version: header } },
      },
      both,
    ),
    post('/mcp', `{"${value}`, both),
    get(`/${path}`),
    get(`/memory/${path}?token=${token}`),
    get('/memory/projects', { authorization: `Bearer ${token}` }),
    get('/memory/projects', {
      authorization: `Basic ${token}`,
      traceparent: header,
      origin: `https://${header}.example`,
    }),
    { path: '/memory/search', init: { method: 'DELETE' } },
    get('/health'),
    get('/ready'),
  ];
}
