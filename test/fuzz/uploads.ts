import { exportAs } from '../importers/exports.js';
import fc from '../support/properties.js';
import type { Sent } from './client.js';
import { canary, fieldCanary } from './odd-values.js';

const chats = [
  {
    id: '0b6d1b3e-3c5e-4a8e-9c41-00000000000a',
    title: canary,
    time: '2026-03-01T10:00:00.000Z',
    turns: [
      { role: 'user' as const, text: `Where is the ${canary}?` },
      { role: 'assistant' as const, text: `I live in ${canary}.` },
    ],
  },
];

/** An export of every format, whole, as its program would write it. */
export const samples = Object.entries(exportAs).flatMap(([format, write]) =>
  Object.entries(write(chats)).map(([path, content]) => ({ format, path, content: Buffer.from(content) })),
);

export interface Wear {
  cut: number;
  flips: { at: number; byte: number }[];
  insert: Uint8Array;
}

export const wear: fc.Arbitrary<Wear> = fc.record({
  // Three in four files are whole.
  cut: fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat() }),
  flips: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 4 }),
  insert: fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 20 })),
});

export function worn(content: Buffer, { cut, flips, insert }: Wear): Buffer {
  const bytes = Buffer.from(cut < 0 ? content : content.subarray(0, cut % (content.length + 1)));
  for (const { at, byte } of flips) if (bytes.length > 0) bytes[at % bytes.length] = byte;
  const at = (flips[0]?.at ?? 0) % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at)]);
}

/** What an importer may be handed: a real export, a worn one, one of another program, or nothing like it. */
export const files: fc.Arbitrary<{ format: string; path: string; content: Buffer }> = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.constantFrom(...samples),
    fc.oneof({ weight: 8, arbitrary: wear }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }) }),
    fc.nat(9),
  )
  .map(([own, other, change, luck]) => {
    const { content } = luck === 0 ? other : own;
    const bytes = change instanceof Uint8Array ? Buffer.from(change) : worn(content, change);
    return { format: own.format, path: own.path, content: bytes };
  });

const boundary = 'zqboundary';

function form(fields: Record<string, string>, file: { name: string; content: Buffer }, ending: string): Buffer {
  const head = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `Content-Disposition: form-data; name="file"; filename="${file.name}"`;
  const before = `${head.join('')}--${boundary}\r\n${disposition}\r\nContent-Type: application/json\r\n\r\n`;
  return Buffer.concat([Buffer.from(before), file.content, Buffer.from(ending)]);
}

/** `POST /memory/import`, bare or as a form that may be broken. */
export const uploads: fc.Arbitrary<Sent> = fc
  .tuple(
    files,
    fc.record({
      asForm: fc.boolean(),
      name: fc.constantFrom(
        'a.json',
        `${canary}.json`,
        'a.zip',
        'a.jsonl',
        'a.csv',
        'a.vscdb',
        '../../x.json',
        '',
        '"',
      ),
      ending: fc.constantFrom(`\r\n--${boundary}--\r\n`, `\r\n--${boundary}--\r\n`, `\r\n--${boundary}`, ''),
      field: fc.constantFrom('since', 'source', 'dry_run', '__proto__', fieldCanary, 'project_id', 'file'),
      value: fc.constantFrom('true', 'false', '2026-01-01', canary, '', 'x'.repeat(20_000)),
      type: fc.constantFrom('application/json', 'application/zip', 'text/csv', 'application/x-ndjson', ''),
      key: fc.constantFrom(undefined, undefined, undefined, 'import-1', 'import-2'),
      boundaryKept: fc.constantFrom(true, true, true, true, false),
    }),
  )
  .map(([{ format, content }, { asForm, name, ending, field, value, type, key, boundaryKept }]) => {
    const idempotency = key === undefined ? {} : { 'idempotency-key': key };
    if (!asForm) {
      const address = `/memory/import?format=${format}&filename=${encodeURIComponent(name)}`;
      return {
        method: 'POST',
        path: address,
        headers: { ...(type === '' ? {} : { 'content-type': type }), ...idempotency },
        body: content,
      };
    }
    const contentType = `multipart/form-data${boundaryKept ? `; boundary=${boundary}` : ''}`;
    return {
      method: 'POST',
      path: '/memory/import',
      headers: { 'content-type': contentType, ...idempotency },
      body: form({ format, [field]: value }, { name, content }, ending),
    };
  });
