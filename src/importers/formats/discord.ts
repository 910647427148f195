import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, spoken } from '../reading/chats.js';
import { joined, list, object, present, readJsonFile, type Shape, text } from '../reading/json.js';

/** Discord: your own messages from the data package, or a channel exported by DiscordChatExporter. */
export const discord: Importer = {
  name: 'discord',
  label: 'Discord',
  howTo: 'Settings > Data & privacy > Request all of my data, give the zip; or JSON files of DiscordChatExporter',
  accepts: (path) => /(^|\/)c?\d+\/messages\.json$/.test(path) || /\[\d+\][^/]*\.json$/.test(path),
  recognises: ({ text: head }) =>
    (/"guild"\s*:\s*\{/.test(head) && /"channel"\s*:\s*\{/.test(head)) ||
    (/"ID"\s*:/.test(head) && /"Timestamp"\s*:/.test(head) && /"Contents"\s*:/.test(head)),
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  yield Array.isArray(value) ? ownMessages(value.map(object), file) : channelOf(object(value), file);
}

/** The package contains its owner's messages, newest first, in one folder per channel. */
function ownMessages(records: readonly Shape[], file: SourceFile): Found {
  const judged = records.map((record): Judged => {
    const files = (text(record.Attachments) ?? '').split(/\s+/).filter((each) => each !== '');
    const said = joined([text(record.Contents), ...files.map((address) => `[file: ${nameIn(address)}]`)]);
    return said === '' ? notKept.empty : spoken('Me', said, utc(record.Timestamp));
  });
  const channel = /(^|\/)c?(\d+)\/messages\.json$/.exec((file.onDisk ?? file.path).replaceAll('\\', '/'))?.[2];
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
  const judged = list(chat.messages).map((message) => turnOf(object(message)));
  const messages = judged.filter((each) => typeof each !== 'string');
  const title = [text(guild.name), text(channel.name)].filter((name) => name !== undefined).join(' #');
  return chatOf(judged, file.path, {
    source: 'discord',
    ...present({ title: text(title), timestamp: messages[0]?.timestamp ?? file.changedAt }),
    metadata: present({ upstream_thread_id: text(channel.id), importer: 'discord', platform: 'discord' }),
  });
}

function turnOf(message: Shape): Judged {
  const kind = text(message.type) ?? 'Default';
  if (kind !== 'Default' && kind !== 'Reply') return notKept.program;
  const files = list(message.attachments).map((file) => `[file: ${text(object(file).fileName) ?? 'unnamed'}]`);
  const embeds = list(message.embeds).map((embed) => text(object(embed).description));
  const said = joined([text(message.content), ...embeds, ...files]);
  const author = object(message.author);
  return said === ''
    ? notKept.empty
    : spoken(text(author.nickname) ?? text(author.name) ?? '', said, message.timestamp);
}
