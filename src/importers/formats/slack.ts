import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, createSpeakers, type Judged, type Spoken } from '../reading/chats.js';
import { joined, jsonElements, list, object, present, type Shape, text } from '../reading/json.js';

/** Slack's export: one folder per channel, one file per day. A day is a conversation, and the channel is its thread. */
export const slack: Importer = {
  name: 'slack',
  label: 'Slack',
  howTo: 'Workspace settings > Import/Export data > Export; give the zip, or the folder when it is unpacked',
  accepts: (path) => /(^|\/)[^/]+\/\d{4}-\d\d-\d\d\.json$/.test(path),
  recognises: ({ text: head }) => /"type"\s*:\s*"message"/.test(head) && /"ts"\s*:\s*"\d{10}\.\d+"/.test(head),
  async *read(file) {
    const who = { names: await namesBeside(file), spoken: createSpeakers() };
    const judged: Judged[] = [];
    const broken: Found[] = [];
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} message ${element.index + 1}`;
      if ('broken' in element) broken.push({ kind: 'skipped', place, reason: element.broken });
      else judged.push(turnOf(object(element.value), who));
    }
    yield* broken;
    const [channel = 'channel', day = ''] = file.path
      .replace(/\.json$/, '')
      .split('/')
      .slice(-2);
    const messages = judged.filter((each) => typeof each !== 'string');
    yield chatOf(judged, file.path, {
      source: 'slack',
      title: `#${channel} ${day}`.trim(),
      ...present({ timestamp: messages[0]?.timestamp ?? file.changedAt }),
      metadata: {
        upstream_thread_id: `${channel}/${day}`,
        thread_id: `slack:${channel}`,
        channel,
        importer: 'slack',
        platform: 'slack',
      },
    });
  },
};

type Names = ReadonlyMap<string, string>;

/** The names of the last workspace: every day of every channel asks for them. */
let known: { place: string; users: Uint8Array; names: Names } | undefined;

/** `users.json` is next to the channel folders. */
async function namesBeside(file: SourceFile): Promise<Names> {
  const place = file.onDisk ?? file.path;
  const beside = `${place.replaceAll('\\', '/').split('/').slice(0, -2).join('/')}/users.json`;
  try {
    const users =
      file.onDisk === undefined
        ? await file.inArchive?.(beside.replace(/^\//, ''))
        : await readFile(join(dirname(dirname(file.onDisk)), 'users.json'));
    if (users === undefined) return new Map();
    if (known?.place === beside && Buffer.compare(known.users, users) === 0) return known.names;
    known = { place: beside, users, names: namesIn(JSON.parse(Buffer.from(users).toString('utf8'))) };
    return known.names;
  } catch {
    // Without a valid list, the names in the messages are used.
    return new Map();
  }
}

function namesIn(users: unknown): Names {
  return new Map(
    list(users)
      .map(object)
      .flatMap((user) => {
        const name = nameIn(object(user.profile)) ?? text(user.real_name) ?? text(user.name);
        return text(user.id) === undefined || name === undefined ? [] : [[String(user.id), name] as const];
      }),
  );
}

function nameIn(profile: Shape): string | undefined {
  return text(profile.real_name) ?? text(profile.display_name) ?? text(profile.name);
}

/** Message subtypes to import; joins, renames and similar notices are in the same list. */
const said = new Set([
  ...['', 'bot_message', 'thread_broadcast', 'file_share', 'me_message', 'file_comment'],
  ...['slackbot_response', 'assistant_app_thread'],
]);

function turnOf(message: Shape, { names, spoken }: { names: Names; spoken: Spoken }): Judged {
  if (message.type !== 'message' || !said.has(text(message.subtype) ?? '')) return notKept.program;
  const files = list(message.files).map((file) => `[file: ${text(object(file).name) ?? 'unnamed'}]`);
  const attached = list(message.attachments).map((each) => text(object(each).text) ?? text(object(each).fallback));
  const written = joined([plain(text(message.text) ?? '', names), ...attached, ...files]);
  // Programs may write their message in blocks or titles alone.
  const words =
    written === ''
      ? plain(joined([...blockTexts(message), ...list(message.attachments).flatMap(shown)]), names)
      : written;
  if (words === '') return notKept.empty;
  const user = text(message.user) ?? '';
  const name =
    names.get(user) ??
    nameIn(object(message.user_profile)) ??
    text(message.username) ??
    nameIn(object(message.bot_profile)) ??
    user;
  return spoken(name, words, { at: message.ts, id: user === '' ? name : user });
}

/** Title and blocks of an attachment. */
function shown(attachment: unknown): string[] {
  const { title, pretext, ...rest } = object(attachment);
  return [...[pretext, title].flatMap((each) => text(each) ?? []), ...blockTexts(rest)];
}

/** The texts of the blocks of a message: headers, sections with their fields, and formatted text. */
function blockTexts({ blocks }: Shape): string[] {
  const found: string[] = [];
  const waiting = list(blocks).map(object).reverse();
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const inner = block.text;
    const words = typeof inner === 'string' ? text(inner) : text(object(inner).text);
    if (words !== undefined) found.push(words);
    waiting.push(...[...list(block.fields), ...list(block.elements)].map(object).reverse());
  }
  return found;
}

/** Mentions and links are in angle brackets; other characters are escaped as in HTML. */
function plain(words: string, names: Names): string {
  return words
    .replace(/<@(\w{1,20})(?:\|([^<>]{0,200}))?>/g, (_, id: string, label = '') => `@${names.get(id) ?? (label || id)}`)
    .replace(/<#\w{1,20}\|([^<>]{0,200})>/g, '#$1')
    .replace(/<(?:!(\w{1,20})[^<>]{0,200})>/g, '@$1')
    .replace(/<(https?:[^<>|]{1,2000})\|([^<>]{0,500})>/g, '$2 ($1)')
    .replace(/<((?:https?|mailto):[^<>|]{1,2000})>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
