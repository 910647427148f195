import { createHash } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { aFolder, aService, type Body, type TestService } from '../support/service.js';
import { aSmallDisk, whyNoDisk } from '../support/small-disk.js';
import { aZip, zipOf } from '../support/zip.js';

const json = { 'content-type': 'application/json' };

async function exported(service: TestService, query = ''): Promise<Body[]> {
  const { body } = await service.send(`/memory/export${query}`);
  return String(body.text)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Body);
}

/** Until the test ends. */
function putTemporaryFilesInto(folder: string): void {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
}

async function statusesIn(service: TestService): Promise<unknown[]> {
  const lines = await exported(service);
  const metadata = lines.flatMap(({ conversation }) =>
    conversation === undefined ? [] : [(conversation as Body).metadata],
  );
  return metadata.map((each) => (each as Body).memory_status).sort();
}

/** Without what says when it was written. */
function content(lines: readonly Body[]): string[] {
  return lines.slice(1).map((line) => JSON.stringify(line).replace(/"(updated_at|rejected_at)":"[^"]*",?/g, ''));
}

async function filled(): Promise<TestService> {
  const service = await aService({ memory: { insert_policy: 'review_pending' } });
  const save_intent = 'user_confirmed';
  await service.insert(
    aConversation({ title: 'Shed', timestamp: '2026-01-02', metadata: { save_intent, tags: ['home'] } }),
  );
  await service.insert(aNote('I live in Porto.', { timestamp: '2026-01-03', metadata: { save_intent } }));
  await service.insert(aNote('Still to be looked at.', { timestamp: '2026-01-04' }));
  const { id } = await service.insert(aNote('Not wanted.', { timestamp: '2026-01-05' }));
  await service.request('/memory/pending/reject', { id });
  return service;
}

describe('an export', () => {
  it('imported into an empty store gives an equal store', async () => {
    const service = await filled();
    const lines = await exported(service);
    expect(lines[0]).toMatchObject({ type: 'threadkeep-export', version: 1 });
    const kinds = lines.map(({ type }) => type);
    expect(kinds.filter((kind) => kind === 'conversation')).toHaveLength(4);
    expect(kinds).toContain('fact');

    const other = await aService();
    const sent = lines.map((line) => JSON.stringify(line)).join('\n');
    const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: sent };
    const report = await other.send('/memory/import?format=threadkeep', init);
    expect(report.body).toMatchObject({ status: 'ok', imported: 4, skipped: 0 });
    expect(content(await exported(other))).toEqual(content(lines));
  });

  it('is known again by the store it came from, also where a text held what cannot be stored', async () => {
    const service = await aService();
    await service.insert(aNote('A \0 canoe and half a pair \ud800.', { tags: ['blue\0'] }));
    expect((await service.search({ query: 'canoe', tags: ['blue\0'] })).results).toHaveLength(1);
    const sent = (await exported(service)).map((line) => JSON.stringify(line)).join('\n');
    const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: sent };
    const report = await service.send('/memory/import?format=threadkeep', init);
    expect(report.body).toMatchObject({ imported: 0, duplicates: 1, skipped: 0 });
  });

  it('follows the filters, and is readable as Markdown', async () => {
    const service = await filled();
    const some = await exported(service, '?date_to=2026-01-02');
    expect(some.filter(({ type }) => type === 'conversation')).toHaveLength(1);
    const { headers, body } = await service.send('/memory/export?format=markdown&tags=home');
    expect(headers.get('content-type')).toContain('text/markdown');
    expect(String(body.text)).toContain('# Shed');
    expect(String(body.text)).toContain('**Assistant:**\n\nIt is in the shed.');
  });

  it('is one HTML page that runs nothing', async () => {
    const service = await filled();
    const { headers, body } = await service.send('/memory/export?format=html&tags=home');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="threadkeep.html"');
    const style = /<style>([\s\S]*?)<\/style>/.exec(String(body.text))?.[1] ?? '';
    const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${source}; sandbox; frame-ancestors 'none'`,
    );
    expect(String(body.text)).toContain('<h2>Shed</h2>');
  });

  it.each(['?format=xml', '?date_from=soon', '?unknown=1'])('refuses %s', async (query) => {
    const service = await aService();
    expect(await service.send(`/memory/export${query}`)).toMatchObject({
      status: 400,
      body: { error_code: 'invalid_input' },
    });
  });
});

describe('an upload', () => {
  const chats = JSON.stringify([{ id: 'a', messages: [{ role: 'user', text: 'The heron stood in the reeds.' }] }]);

  it('is read as a form too, with its fields', async () => {
    const service = await aService();
    const form = new FormData();
    form.set('format', 'json');
    form.set('source', 'notes');
    form.set('file', new File([chats], 'chats.json'));
    const { body } = await service.send('/memory/import', { method: 'POST', body: form });
    expect(body).toMatchObject({ imported: 1, messages: 1 });
    const { body: list } = await service.request('/memory/conversations/list', { source: 'notes' });
    expect(list.total).toBe(1);
  });

  it.each(['.json', '.jsonl', '.zip'])('is read by what its name ends with: %s', async (ending) => {
    const service = await aService();
    const [{ id: _, ...chat } = { id: '' }] = JSON.parse(chats) as { id: string }[];
    const text = ending === '.json' ? chats : JSON.stringify(chat);
    const pieces: Uint8Array[] = [];
    const content = (async function* () {
      yield Buffer.from(text);
    })();
    if (ending === '.zip') for await (const piece of zipOf('chats.jsonl', content)) pieces.push(piece);
    const form = new FormData();
    form.set('format', 'json');
    form.set('file', new File(ending === '.zip' ? [Buffer.concat(pieces)] : [text], `chats${ending}`));
    const headers = { accept: 'application/x-ndjson' };
    const { body } = await service.send('/memory/import', { method: 'POST', headers, body: form });
    const lines = String(body.text).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'report', imported: 1, skipped: 0 });
  });

  const turn = { role: 'user', text: 'A heron. '.repeat(300_000) };
  const large = JSON.stringify([{ messages: [turn] }]);
  const asForm = (): FormData => {
    const form = new FormData();
    form.set('file', new File([large], 'chats.json'));
    return form;
  };

  /** The trouble is ours, and whoever looks after the server reads of it. */
  async function expectUnavailable(service: TestService): Promise<void> {
    for (const init of [{ body: large, headers: json }, { body: asForm() }]) {
      const answer = await service.send('/memory/import?format=json', { method: 'POST', ...init });
      expect({ status: answer.status, code: answer.body.error_code }).toEqual({
        status: 503,
        code: 'metadata_unavailable',
      });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(service.logLines.filter((line) => line.includes('"level":"error"'))).toHaveLength(2);
  }

  it('waits for a temporary folder that is gone', async () => {
    const service = await aService();
    putTemporaryFilesInto(join(await aFolder(), 'gone'));
    await expectUnavailable(service);
  });

  it.skipIf(whyNoDisk)('waits for space on the disk of temporary files', async () => {
    const service = await aService();
    putTemporaryFilesInto(aSmallDisk(1).folder);
    await expectUnavailable(service);
  });

  it('of a form is refused when it is too large, cut off, or more than one, and leaves no file behind', async () => {
    const folder = await aFolder();
    putTemporaryFilesInto(folder);
    const old = join(folder, 'threadkeep-upload-of-yesterday.json');
    await writeFile(old, 'left behind');
    await utimes(old, 1, 1);
    const service = await aService({ limits: { max_import_bytes: 50_000 } });
    const form = (files: number, size: number) => {
      const sent = new FormData();
      sent.set('format', 'json');
      for (let file = 0; file < files; file++) sent.append('file', new File(['x'.repeat(size)], 'chats.json'));
      return sent;
    };
    const post = (body: RequestInit['body'], headers = {}) =>
      service.send('/memory/import', { method: 'POST', body: body ?? null, headers });
    // Without its length, so that only reading it shows how large it is.
    const whole = new Request('http://localhost', { method: 'POST', body: form(1, 60_000) });
    const headers = { 'content-type': whole.headers.get('content-type') ?? '' };
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect((await post(bytes, headers)).status).toBe(413);
    expect((await post(form(2, 100))).body).toMatchObject({ error_code: 'invalid_input' });
    expect((await post(bytes.subarray(0, 20_000), headers)).body).toMatchObject({ error_code: 'invalid_input' });
    expect((await post(form(0, 0))).body).toMatchObject({ error_message: 'The form contains no file' });
    const wrong = form(1, 10);
    wrong.set('since', 'soon');
    expect((await post(wrong)).body).toMatchObject({ issues: [{ path: 'since' }] });
    const left = (await readdir(folder)).filter((name) => name.startsWith('threadkeep-upload-'));
    expect(left).toEqual([]);
  });

  it('tells its progress line by line when that is asked for', async () => {
    const service = await aService();
    const headers = { ...json, accept: 'application/x-ndjson' };
    const { body } = await service.send('/memory/import?format=json', { method: 'POST', headers, body: chats });
    const lines = String(body.text)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body);
    expect(lines[0]).toMatchObject({ type: 'progress' });
    expect(lines.at(-1)).toMatchObject({ type: 'report', imported: 1 });
  });

  it('fails as a whole when the store fails, and nothing goes unnoticed', async () => {
    const service = await aService();
    await service.runtime.close();
    const many = JSON.stringify(
      Array.from({ length: 40 }, (_, id) => ({ id, messages: [{ role: 'user', text: `${id}` }] })),
    );
    const init = { method: 'POST', headers: json, body: many };
    expect(await service.send('/memory/import?format=json', init)).toMatchObject({
      status: 503,
      body: { error_code: 'metadata_unavailable' },
    });
  });

  it('counts only in a dry run', async () => {
    const service = await aService();
    const init = { method: 'POST', headers: json, body: chats };
    const { body } = await service.send('/memory/import?format=json&dry_run=true', init);
    expect(body).toMatchObject({ dry_run: true, imported: 1 });
    expect((await service.request('/memory/conversations/list', {})).body.total).toBe(0);
  });

  it.each([
    ['require_save_intent', { imported: 0, skipped: 1 }, []],
    ['review_pending', { imported: 1, skipped: 0 }, ['pending_review']],
    ['permissive', { imported: 1, skipped: 0 }, ['active']],
  ] as const)('is judged by the insert policy %s', async (insert_policy, counts, statuses) => {
    const service = await aService({ memory: { insert_policy } });
    const init = { method: 'POST', headers: json, body: chats };
    const tried = await service.send('/memory/import?format=json&dry_run=true', init);
    expect(tried.body).toMatchObject({ dry_run: true, ...counts });
    const { body } = await service.send('/memory/import?format=json', init);
    expect(body).toMatchObject(counts);
    if (counts.skipped > 0) expect(Object.keys(body.reasons as object)[0]).toContain('metadata.save_intent');
    expect(await statusesIn(service)).toEqual(statuses);
  });

  it.each([
    ['require_save_intent', ['active']],
    ['review_pending', ['active', 'pending_review', 'pending_review', 'pending_review', 'rejected']],
  ] as const)('of our own export is believed what it says of intents, not of states: %s', async (policy, statuses) => {
    const line = (text: string, metadata: object) => ({
      type: 'conversation',
      conversation: { source: 'x', messages: [{ role: 'user', text }], metadata },
    });
    const save_intent = 'user_confirmed';
    const lines = [
      line('Confirmed.', { save_intent, memory_status: 'active' }),
      line('Claimed.', { memory_status: 'active' }),
      line('Unsaid.', {}),
      line('Waiting.', { memory_status: 'pending_review' }),
      line('Not wanted.', { memory_status: 'rejected' }),
    ];
    const service = await aService({ memory: { insert_policy: policy } });
    const body = lines.map((each) => JSON.stringify(each)).join('\n');
    await service.send('/memory/import?format=threadkeep', { method: 'POST', headers: json, body });
    expect(await statusesIn(service)).toEqual(statuses);
  });

  it('is refused when it is too large, of an unknown format, or nothing', async () => {
    const service = await aService({ limits: { max_import_bytes: 50 } });
    const post = (path: string, body: string) => service.send(path, { method: 'POST', headers: json, body });
    expect((await post('/memory/import?format=json', 'x'.repeat(60))).status).toBe(413);
    expect((await post('/memory/import?format=unheard', '[]')).body).toMatchObject({ issues: [{ path: 'format' }] });
    expect((await service.send('/memory/import?format=json', { method: 'POST' })).status).toBe(400);
  });

  it.each([
    ['without a boundary', 'multipart/form-data'],
    ['with an empty boundary', 'multipart/form-data; boundary=""'],
    ['with a boundary that does not occur', 'multipart/form-data; boundary=other'],
    ['that ends in the middle', 'multipart/form-data; boundary=cut'],
  ])('as a form %s is refused', async (_, type) => {
    const service = await aService();
    const body = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[]';
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    expect(await service.send('/memory/import?format=json', init)).toMatchObject({
      status: 400,
      body: { error_code: 'invalid_input' },
    });
  });

  it.each([
    ['no zip at all', () => Buffer.from('no zip')],
    ['cut off', (zip: Buffer) => zip.subarray(0, zip.length - 10)],
    ['damaged inside', (zip: Buffer) => Buffer.concat([zip.subarray(0, 45), Buffer.alloc(20), zip.subarray(65)])],
    [
      'with a broken directory',
      (zip: Buffer) => Buffer.from(zip.toString('latin1').replace('PK\x01\x02', 'PX\x01\x02'), 'latin1'),
    ],
  ])('as a zip that is %s is refused or skipped, and no path of ours is told', async (_, damage) => {
    const service = await aService();
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: damage(aZip('chats.json', chats)),
    };
    const { status, body } = await service.send('/memory/import?format=json', init);
    expect([200, 400]).toContain(status);
    if (status === 200) expect(body).toMatchObject({ imported: 0, skipped: 1 });
    expect(JSON.stringify(body)).not.toMatch(/threadkeep-upload|\/tmp/);
  });

  it('as a whole zip is read', async () => {
    const service = await aService();
    const init = { method: 'POST', headers: { 'content-type': 'application/zip' }, body: aZip('chats.json', chats) };
    expect((await service.send('/memory/import?format=json', init)).body).toMatchObject({ imported: 1 });
  });
});
