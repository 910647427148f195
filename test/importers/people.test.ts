import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Found } from '../../src/importers/contract.js';
import { filesAt } from '../../src/importers/reading/files.js';
import { formatsAt, importers } from '../../src/importers/table.js';
import { speakersOf } from '../../src/language/names.js';
import { aFolder } from '../support/service.js';
import { aZip, aZipOf } from '../support/zip.js';
import { conversationsOf, findIn, turnsIn } from './reading.js';

async function foundAt(format: string, path: string): Promise<Found[]> {
  const importer = importers.find(({ name }) => name === format);
  if (importer === undefined) throw new Error(`no importer ${format}`);
  const found: Found[] = [];
  for await (const file of filesAt(path, importer)) for await (const each of importer.read(file)) found.push(each);
  return found;
}

describe('WhatsApp (issue 22)', () => {
  // The same two messages, as phones in these languages write them: at 9:05 and at 21:15 of 12 March 2026.
  it.each([
    ['English (US)', '3/12/26, 9:05\u202fAM - Nora: a\n3/12/26, 9:15\u202fPM - Ben: b'],
    ['English (India)', '12/03/26, 9:05 am - Nora: a\n12/03/26, 9:15 pm - Ben: b'],
    ['English (India), iPhone', '[12/03/26, 9:05:00\u202fAM] Nora: a\n[12/03/26, 9:15:00\u202fPM] Ben: b'],
    ['German', '12.03.26, 09:05 - Nora: a\n12.03.26, 21:15 - Ben: b'],
    ['German, iPhone', '\u200e[12.03.26, 09:05:00] Nora: a\n[12.03.26, 21:15:00] Ben: \u200eb'],
    ['Spanish', '12/3/26, 9:05 a.\u00a0m. - Nora: a\n12/3/26, 9:15 p.\u00a0m. - Ben: b'],
    ['French', '12/03/2026, 09:05 - Nora: a\n12/03/2026 à 21:15 - Ben: b'],
    ['Portuguese', '12/03/2026 09:05 - Nora: a\n12/03/2026 21:15 - Ben: b'],
    ['Swedish', '2026-03-12 09:05 - Nora: a\n2026-03-12 21:15 - Ben: b'],
    ['Danish', '12.03.2026 09.05 - Nora: a\n12.03.2026 21.15 - Ben: b'],
    ['Finnish', '12.3.2026 klo 9.05 - Nora: a\n12.3.2026 klo 21.15 - Ben: b'],
    ['Czech, iPhone', '[12. 3. 2026 9:05:00] Nora: a\n[12. 3. 2026 21:15:00] Ben: b'],
    ['Croatian', '12.03.2026. 09:05 - Nora: a\n12.03.2026. 21:15 - Ben: b'],
    ['Hungarian', '2026. 03. 12. 9:05 - Nora: a\n2026. 03. 12. 21:15 - Ben: b'],
    ['Bulgarian', '12.03.26 г., 9:05 ч. - Nora: a\n12.03.26 г., 21:15 ч. - Ben: b'],
    ['Greek', '12/3/26, 9:05 π.μ. - Nora: a\n12/3/26, 9:15 μ.μ. - Ben: b'],
    ['Turkish', '12.03.2026 ÖÖ 9:05 - Nora: a\n12.03.2026 ÖS 9:15 - Ben: b'],
    ['Vietnamese', '12/03/2026, 9:05 SA - Nora: a\n12/03/2026, 9:15 CH - Ben: b'],
    ['Malay', '12/03/2026, 9:05 PG - Nora: a\n12/03/2026, 9:15 PTG - Ben: b'],
    ['Thai', '12/3/2569 09:05 - Nora: a\n12/3/2569 21:15 - Ben: b'],
    ['Hindi', '१२/०३/२६, ९:०५ पूर्वाह्न - Nora: a\n१२/०३/२६, ९:१५ अपराह्न - Ben: b'],
    ['Arabic', '١٢\u200f/٣\u200f/٢٠٢٦، ٩:٠٥ ص - Nora: a\n١٢\u200f/٣\u200f/٢٠٢٦، ٩:١٥ م - Ben: b'],
    ['Arabic, iPhone', '[12\u200f/3\u200f/2026، 9:05:00 ص] Nora: a\n[12\u200f/3\u200f/2026، 9:15:00 م] Ben: b'],
    ['Japanese', '2026/03/12 9:05 - Nora: a\n2026/03/12 21:15 - Ben: b'],
    ['Chinese', '2026/3/12 上午9:05 - Nora: a\n2026/3/12 下午9:15 - Ben: b'],
    ['Chinese, iPhone', '[2026/3/12 上午9:05:00] Nora: a\n[2026/3/12 下午9:15:00] Ben: b'],
    ['Korean', '2026년 3월 12일 오전 9:05, Nora : a\n2026년 3월 12일 오후 9:15, Ben : b'],
    ['Korean, iPhone', '[2026. 3. 12. 오전 9:05:00] Nora: a\n[2026. 3. 12. 오후 9:15:00] Ben: b'],
  ])('reads what a phone in %s writes', async (_, chat) => {
    const path = join(await aFolder(), 'WhatsApp.txt');
    await writeFile(path, `${chat}\n`);
    expect((await formatsAt(path)).map(({ name }) => name)).toEqual(['whatsapp']);
    const [conversation] = conversationsOf(await findIn('whatsapp', 'WhatsApp.txt', `${chat}\n`));
    // The export has no time zone: it is that of this machine.
    expect(conversation?.messages).toEqual([
      { role: 'user', text: 'Nora: a', timestamp: new Date('2026-03-12T09:05:00').toISOString() },
      { role: 'user', text: 'Ben: b', timestamp: new Date('2026-03-12T21:15:00').toISOString() },
    ]);
  });

  it('keeps lines that only resemble the beginning of a message', async () => {
    const chat = [
      '2026년 3월 12일 오전 9:05, Nora : Dates:',
      '12.03.2026, 10:15, dentist: bring the card',
      '12 apples, 10:15',
      '',
      '2026. 3. 12. 9시',
    ].join('\n');
    expect(await turnsIn('whatsapp', 'WhatsApp.txt', chat)).toEqual([
      [`user: Nora: ${chat.slice(chat.indexOf('Dates'))}`],
    ]);
  });

  it.each([
    ['Chat de WhatsApp con Ana.txt', 'Chat de WhatsApp con Ana'],
    ['Conversa do WhatsApp com Rui.txt', 'Conversa do WhatsApp com Rui'],
    ['محادثة واتساب مع Ana.txt', 'محادثة واتساب مع Ana'],
    ['WhatsApp Chat mit Uwe.txt', 'WhatsApp Uwe'],
  ])('finds %s in a folder', async (name, title) => {
    const folder = await aFolder();
    await writeFile(join(folder, name), '12/03/2026, 09:05 - Ana: hola\n');
    const [conversation] = conversationsOf(await foundAt('whatsapp', folder));
    expect(conversation).toMatchObject({ title, metadata: { upstream_thread_id: title } });
  });

  it('tells people apart whose names are not known', async () => {
    const chat = [
      '12/03/2026, 09:05 - +49 170 1234567: Who comes?',
      '12/03/2026, 09:06 - \u202a+49\u00a0171\u00a07654321\u202c: Me.',
      '12/03/2026, 09:07 - +49 170 1234567: Good.',
    ].join('\n');
    const [turns = []] = await turnsIn('whatsapp', 'WhatsApp.txt', chat);
    expect(turns).toEqual([
      'user: +49 170 1234567: Who comes?',
      'user: +49 171 7654321: Me.',
      'user: +49 170 1234567: Good.',
    ]);
    expect(speakersOf(turns.map((turn) => turn.slice('user: '.length)))).toEqual([
      '+49 170 1234567',
      '+49 171 7654321',
      '+49 170 1234567',
    ]);
  });

  it('names the chat in the zip of an iPhone after the zip', async () => {
    const path = join(await aFolder(), 'WhatsApp Chat - Nora.zip');
    await writeFile(path, aZip('_chat.txt', '[12.03.26, 09:05:11] Nora: hi\n'));
    expect(conversationsOf(await foundAt('whatsapp', path))[0]?.title).toBe('WhatsApp Nora');
  });
});

describe('Telegram (issue 22)', () => {
  const said = (id: number, more: object) => ({
    id,
    type: 'message',
    date: '2026-03-12T10:00:00',
    date_unixtime: String(1_773_309_600 + id),
    from: 'Nora Klein',
    from_id: 'user1',
    text: '',
    ...more,
  });
  const chat = (id: number, ...messages: object[]) => ({ name: `Chat ${id}`, type: 'personal_chat', id, messages });

  it('keeps the groups that were left, which are in a list of their own', async () => {
    const whole = JSON.stringify({
      about: 'Here is the data you requested.',
      personal_information: { user_id: 1 },
      chats: {
        about: 'All chats.',
        list: [chat(1, said(1, { text: 'The key "left_chats": { "list": [ comes later.' }))],
      },
      left_chats: { about: 'Chats you left.', list: [chat(2, said(1, { text: 'Goodbye.' }))] },
    });
    const halves = [
      whole.slice(0, whole.lastIndexOf('left_chats') + 4),
      whole.slice(whole.lastIndexOf('left_chats') + 4),
    ];
    const telegram = importers.find(({ name }) => name === 'telegram');
    const found: Found[] = [];
    const file = {
      path: 'result.json',
      async *read() {
        for (const half of halves) yield Buffer.from(half);
      },
    };
    for await (const each of telegram?.read(file) ?? []) found.push(each);
    expect(conversationsOf(found).map(({ title, messages }) => [title, messages.map(({ text }) => text)])).toEqual([
      ['Chat 1', ['Nora Klein: The key "left_chats": { "list": [ comes later.']],
      ['Chat 2', ['Nora Klein: Goodbye.']],
    ]);
    expect(found).toHaveLength(2);
  });

  it('keeps polls, lists, contacts and locations, which have no text', async () => {
    const messages = [
      said(1, {
        poll: {
          question: 'Pizza or pasta?',
          answers: [
            { text: 'Pizza', voters: 1 },
            { text: 'Pasta', voters: 0 },
          ],
        },
      }),
      said(2, { todo_list: { title: 'Shopping', answers: [{ id: 1, text: 'milk' }] } }),
      said(3, { contact_information: { first_name: 'Zed', last_name: 'Quinn', phone_number: '+123' } }),
      said(4, {
        place_name: 'Café',
        address: 'Main Street 1',
        location_information: { latitude: 1.5, longitude: 2.5 },
      }),
      said(5, {}),
    ];
    const [found] = await findIn('telegram', 'result.json', JSON.stringify(chat(1, ...messages)));
    expect(conversationsOf(found === undefined ? [] : [found])[0]?.messages.map(({ text }) => text)).toEqual([
      'Nora Klein: [poll: Pizza or pasta?]\n- Pizza\n- Pasta',
      'Nora Klein: [list: Shopping]\n- milk',
      'Nora Klein: [contact: Zed Quinn +123]',
      'Nora Klein: [location: Café, Main Street 1, 1.5, 2.5]',
    ]);
    expect(found).toMatchObject({ leftOut: { 'they have no text': 1 } });
  });
});

describe('Slack (issue 22)', () => {
  it.each([
    ['', 'general/2026-03-12.json'],
    ['Bike club/', 'Bike club/general/2026-03-12.json'],
  ])('knows the names in the zip as it was sent, below %j', async (folder, day) => {
    const path = join(await aFolder(), 'Bike club Slack export.zip');
    const said = (user: string, text: string) => ({ type: 'message', user, text, ts: '1773309600.000100' });
    const zip = aZipOf({
      [`${folder}channels.json`]: '[]',
      [day]: JSON.stringify([said('U024BE7LH', 'Ask <@U024BE7LJ>.'), said('U024BE7LJ', 'Yes?')]),
      [`${folder}users.json`]: JSON.stringify([
        { id: 'U024BE7LH', profile: { real_name: 'Nora Klein' } },
        { id: 'U024BE7LJ', name: 'ben' },
      ]),
    });
    await writeFile(path, zip);
    const [conversation] = conversationsOf(await foundAt('slack', path));
    expect(conversation?.messages.map(({ text }) => text)).toEqual(['Nora Klein: Ask @ben.', 'Ben: Yes?']);
  });

  it('keeps messages of programs that are only in blocks or in the title of an attachment', async () => {
    const bot = { type: 'message', subtype: 'bot_message', username: 'Builds', text: '', ts: '1773309600.000100' };
    const day = JSON.stringify([
      {
        ...bot,
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
          {
            type: 'section',
            fields: [
              { type: 'mrkdwn', text: 'failed' },
              { type: 'mrkdwn', text: 'in 3 min' },
            ],
          },
        ],
      },
      { ...bot, attachments: [{ title: 'Pull request 8', title_link: 'https://example.org' }] },
      { ...bot, subtype: 'slackbot_response', username: 'slackbot', text: 'The printer is on floor 2.' },
      {
        ...bot,
        text: 'Written.',
        blocks: [
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Written.' }] }],
          },
        ],
      },
    ]);
    expect(await turnsIn('slack', 'general/2026-03-12.json', day)).toEqual([
      [
        'user: Builds: Build 7\n\nfailed\n\nin 3 min',
        'user: Builds: Pull request 8',
        'user: Slackbot: The printer is on floor 2.',
        'user: Builds: Written.',
      ],
    ]);
  });
});

describe('Discord (issue 22)', () => {
  it('reads the tables of older packages', async () => {
    const folder = await aFolder();
    await mkdir(join(folder, 'messages/c456'), { recursive: true });
    await writeFile(join(folder, 'messages/c456/channel.json'), JSON.stringify({ id: '456', type: 0 }));
    await writeFile(
      join(folder, 'messages/c456/messages.csv'),
      'ID,Timestamp,Contents,Attachments\n2,2021-03-12 10:01:00.123000+00:00,"two\nlines, quoted",\n1,2021-03-12 10:00:00.123000+00:00,first,https://cdn.example/1/pic.png\n',
    );
    expect((await formatsAt(folder)).map(({ name }) => name)).toEqual(['discord']);
    const [conversation] = conversationsOf(await foundAt('discord', folder));
    expect(conversation).toMatchObject({ metadata: { upstream_thread_id: '456' } });
    expect(conversation?.messages).toEqual([
      { role: 'user', text: 'Me: first\n\n[file: pic.png]', timestamp: '2021-03-12T10:00:00.123Z' },
      { role: 'user', text: 'Me: two\nlines, quoted', timestamp: '2021-03-12T10:01:00.123Z' },
    ]);
  });

  it('keeps answers to commands, embeds without a description, and stickers', async () => {
    const said = (more: object) => ({
      type: 'Default',
      timestamp: '2026-03-12T10:00:00+00:00',
      content: '',
      author: { name: 'nora' },
      ...more,
    });
    const messages = [
      said({ type: '20', content: 'Rolled a 6.' }),
      said({ embeds: [{ title: 'Score', description: '', fields: [{ name: 'Ben', value: '3' }] }] }),
      said({ stickers: [{ name: 'Wave' }] }),
      said({ type: 'GuildMemberJoin', content: 'Joined the server.' }),
    ];
    const channel = { guild: { name: 'Bike' }, channel: { id: '7', name: 'general' }, messages };
    expect(await turnsIn('discord', 'Bike [7].json', JSON.stringify(channel))).toEqual([
      ['user: Nora: Rolled a 6.', 'user: Nora: Score\n\nBen: 3', 'user: Nora: [sticker: Wave]'],
    ]);
  });
});

describe('two people (issue 22)', () => {
  const whatsapp = async (...names: string[]) => {
    const lines = names.map((name, at) => `12/03/2026, 09:0${at} - ${name}: text ${at}`);
    const [turns = []] = await turnsIn('whatsapp', 'WhatsApp.txt', lines.join('\n'));
    return turns;
  };

  it.each([
    [
      ['user1', 'user2', 'user1'],
      ['User1', 'User2', 'User1'],
    ],
    [
      ['max_2009', 'max_2010', 'max_2009'],
      ['Max2009', 'Max2010', 'Max2009'],
    ],
    [
      ['Ana Maria Lopez Garcia', 'Ana Maria Lopez Perez'],
      ['Ana Maria Lopez', 'Ana Maria Lopez2'],
    ],
    [
      ['🌵', '🌻', '🌵'],
      ['Unknown', 'Unknown2', 'Unknown'],
    ],
    [
      ['nora', 'Nora', 'Nora2', 'nora', 'Nora', 'Nora2'],
      ['Nora', 'Nora2', 'Nora22', 'Nora', 'Nora2', 'Nora22'],
    ],
  ])('called %j stay two speakers', async (names, labels) => {
    const turns = await whatsapp(...names);
    expect(turns).toEqual(labels.map((label, at) => `user: ${label}: text ${at}`));
    expect(speakersOf(turns.map((turn) => turn.slice('user: '.length)))).toEqual(labels);
  });

  it('with one name are told apart by their ids', async () => {
    const telegram = {
      name: 'Club',
      id: 7,
      messages: ['user1', 'user2', 'user1'].map((id, at) => ({
        id: at,
        type: 'message',
        date_unixtime: '1773309600',
        from: 'Nora',
        from_id: id,
        text: `text ${at}`,
      })),
    };
    expect(await turnsIn('telegram', 'result.json', JSON.stringify(telegram))).toEqual([
      ['user: Nora: text 0', 'user: Nora2: text 1', 'user: Nora: text 2'],
    ]);
    const discord = {
      guild: { name: 'G' },
      channel: { id: '1', name: 'c' },
      messages: ['1', '2'].map((id) => ({ id, type: 'Default', content: 'hi', author: { id, name: 'nora' } })),
    };
    expect(await turnsIn('discord', 'G - c [1].json', JSON.stringify(discord))).toEqual([
      ['user: Nora: hi', 'user: Nora2: hi'],
    ]);
    const slack = ['U1', 'U2'].map((user, at) => ({
      type: 'message',
      user,
      user_profile: { real_name: 'Nora' },
      text: 'hi',
      ts: `177330960${at}.000100`,
    }));
    expect(await turnsIn('slack', 'general/2026-03-12.json', JSON.stringify(slack))).toEqual([
      ['user: Nora: hi', 'user: Nora2: hi'],
    ]);
  });
});
