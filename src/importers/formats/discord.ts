import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, createSpeakers, type Judged, type Spoken } from '../reading/chats.js';
import { csvRows } from '../reading/csv.js';
import { joined, list, object, present, readJsonFile, type Shape, text } from '../reading/json.js';

/** Discord: your own messages from the data package, or a channel exported by DiscordChatExporter. */
export const discord: Importer = {
  name: 'discord',
  label: 'Discord',
  howTo: 'Settings > Data & privacy > Request all of my data, give the zip; or JSON files of DiscordChatExporter',
  accepts: (path) => /(^|\/)c?\d+\/messages\.(json|csv)$/.test(path) || /\[\d+\][^/]*\.json$/.test(path),
  recognises: ({ text: head }) =>
    (/"guild"\s*:\s*\{/.test(head) && /"channel"\s*:\s*\{/.test(head)) ||
    (/"ID"\s*:/.test(head) && /"Timestamp"\s*:/.test(head) && /"Contents"\s*:/.test(head)) ||
    /^ID,Timestamp,Contents,Attachments\b/.test(head),
  read: (file) => (file.path.endsWith('.csv') ? fromTable(file) : readJsonFile(file, found)),
};

/** Packages of before 2024 have tables. */
async function* fromTable(file: SourceFile): AsyncGenerator<Found> {
  const records: Shape[] = [];
  let number = 0;
  for await (const row of csvRows(file.read(), limits.lineBytes)) {
    number += 1;
    if (typeof row === 'string') yield { kind: 'skipped', place: `${file.path} entry ${number}`, reason: row };
    else records.push(row);
  }
  yield ownMessages(records, file);
}

function* found(value: unknown, file: SourceFile): Generator<Found> {
  yield Array.isArray(value) ? ownMessages(value.map(object), file) : channelOf(object(value), file);
}

/** The package contains its owner's messages, newest first, in one folder per channel. */
function ownMessages(records: readonly Shape[], file: SourceFile): Found {
  const spoken = createSpeakers();
  const judged = records.map((record): Judged => {
    const files = (text(record.Attachments) ?? '').split(/\s+/).filter((each) => each !== '');
    const said = joined([text(record.Contents), ...files.map((address) => `[file: ${nameIn(address)}]`)]);
    return said === '' ? notKept.empty : spoken('Me', said, { at: utc(record.Timestamp) });
  });
  const channel = /(^|\/)c?(\d+)\/messages\.(?:json|csv)$/.exec((file.onDisk ?? file.path).replaceAll('\\', '/'))?.[2];
  const inOrder = judged.reverse();
  return chatOf(inOrder, file.path, {
    source: 'discord',
    title: `Discord ${channel ?? 'messages'}`,
    ...present({ timestamp: inOrder.flatMap((each) => (typeof each === 'string' ? [] : (each.timestamp ?? [])))[0] }),
    metadata: present({ upstream_thread_id: channel, importer: 'discord', platform: 'discord' }),
  });
}

/** Times in the package are UTC without a time zone. */
function utc(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
    ? `${value.replace(' ', 'T')}Z`
    : value;
}

function nameIn(address: string): string {
  return address.split('?')[0]?.split('/').at(-1) ?? 'unnamed';
}

function channelOf(chat: Shape, file: SourceFile): Found {
  const channel = object(chat.channel);
  const guild = object(chat.guild);
  const spoken = createSpeakers();
  const judged = list(chat.messages).map((message) => turnOf(object(message), spoken));
  const messages = judged.filter((each) => typeof each !== 'string');
  const title = [text(guild.name), text(channel.name)].filter((name) => name !== undefined).join(' #');
  return chatOf(judged, file.path, {
    source: 'discord',
    ...present({ title: text(title), timestamp: messages[0]?.timestamp ?? file.changedAt }),
    metadata: present({ upstream_thread_id: text(channel.id), importer: 'discord', platform: 'discord' }),
  });
}

/** Discord's numbers are for kinds that the exporter has no name for: answers of bots to commands, and forwarded threads. */
const saidKinds = new Set(['Default', 'Reply', '20', '21', '23']);

function turnOf(message: Shape, spoken: Spoken): Judged {
  if (!saidKinds.has(text(message.type) ?? 'Default')) return notKept.program;
  const files = list(message.attachments).map((file) => `[file: ${text(object(file).fileName) ?? 'unnamed'}]`);
  const embeds = list(message.embeds).map((embed) => text(object(embed).description));
  const written = joined([text(message.content), ...embeds, ...files]);
  const said = written === '' ? joined([...list(message.embeds).flatMap(shown), ...stickersOf(message)]) : written;
  const author = object(message.author);
  if (said === '') return notKept.empty;
  const name = text(author.nickname) ?? text(author.name) ?? '';
  return spoken(name, said, { at: message.timestamp, id: text(author.id) ?? name });
}

/** What an embed shows that has no description. */
function shown(value: unknown): (string | undefined)[] {
  const { title, fields } = object(value);
  const rows = list(fields).map((field) =>
    [object(field).name, object(field).value].flatMap((each) => text(each) ?? []),
  );
  return [text(title), ...rows.map((row) => row.join(': '))];
}

function stickersOf({ stickers }: Shape): string[] {
  return list(stickers).map((sticker) => `[sticker: ${text(object(sticker).name) ?? 'unnamed'}]`);
}
