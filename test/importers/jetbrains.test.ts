import { describe, expect, it } from 'vitest';
import { type Element, elementsNamed } from '../../src/importers/reading/xml.js';
import { conversationsOf, findIn, turnsIn } from './reading.js';

function workspace(...chats: string[]): string {
  const all = chats.map((chat) => `<SerializedChat>${chat}</SerializedChat>`).join('\n');
  return `<project><component name="ChatSessionStateTemp"><option name="chats"><list>${all}</list></option></component></project>`;
}

const option = (name: string, value: string) => `<option name="${name}" value="${value}" />`;
const message = (...options: string[]) => `<SerializedChatMessage>${options.join('')}</SerializedChatMessage>`;
const messages = (...all: string[]) => `<option name="messages"><list>${all.join('')}</list></option>`;
const path = 'PyCharm2026.1/workspace/2QYo.xml';

describe('a workspace file of JetBrains', () => {
  it('gives a chat its title, its time, its id and what is shown', async () => {
    const found = await findIn(
      'jetbrains',
      path,
      workspace(
        [
          option('chatModelId', 'openai-gpt-4o'),
          messages(
            message(
              option('displayContent', 'Why?&#10;A &lt;b&gt; &amp;amp; &#x1F6E0;'),
              option('internalContent', 'You are'),
            ),
            message(
              option('author', 'Assistant'),
              option(
                'displayContent',
                '&lt;llm-progress-log-group&gt;Searching&lt;/llm-progress-log-group&gt;&lt;llm-snippet-file&gt;a.py&lt;/llm-snippet-file&gt;Because.',
              ),
            ),
            message(
              option('displayContent', 'See'),
              '<option name="attachments"><list><SerializedChatAttachment><option name="name" value="plan.pdf" /></SerializedChatAttachment></list></option>',
            ),
            message(option('author', 'Assistant')),
            message(option('author', 'Tool'), option('displayContent', 'hidden')),
          ),
          option('modifiedAt', '1774087260000'),
          '<option name="statisticInformation"><ChatStatisticInformation><option name="timestamp" value="1774087200000" /></ChatStatisticInformation></option>',
          '<option name="title"><SerializedChatTitle><option name="text" value="Bold" /></SerializedChatTitle></option>',
          option('uid', 'UUID(uuid=0b6d1b3e-3c5e-4a8e-9c41-000000000001)'),
        ].join(''),
      ),
    );
    expect(found).toEqual([
      {
        kind: 'conversation',
        place: `${path} chat 1`,
        conversation: {
          source: 'jetbrains',
          title: 'Bold',
          timestamp: '2026-03-21T10:00:00.000Z',
          messages: [
            { role: 'user', text: 'Why?\nA <b> &amp; 🛠' },
            { role: 'assistant', text: 'Because.' },
            { role: 'user', text: 'See\n\n[file: plan.pdf]' },
          ],
          metadata: {
            upstream_thread_id: '0b6d1b3e-3c5e-4a8e-9c41-000000000001',
            model: 'openai-gpt-4o',
            importer: 'jetbrains',
            platform: 'jetbrains',
          },
        },
        leftOut: { 'they have no text': 1, 'their role is neither user nor assistant': 1 },
      },
    ]);
  });

  it('keeps the prompts of an agent whose log is not there', async () => {
    const chat = option('chatModelId', 'agent_junie') + messages(message(option('displayContent', 'Mend it.')));
    expect(await turnsIn('jetbrains', path, workspace(chat))).toEqual([['user: Mend it.']]);
  });

  it('says nothing about a project without chats, and names the chat that is damaged', async () => {
    expect(await findIn('jetbrains', path, '<project><component name="ProjectId" id="2QYo" /></project>')).toEqual([]);
    const whole = messages(message(option('displayContent', 'Kept.')));
    const cut = workspace(whole, whole, whole).replace('</SerializedChat>', '');
    const found = await findIn('jetbrains', path, cut);
    expect(found.map(({ kind }) => kind)).toEqual(['skipped', 'conversation', 'conversation']);
    expect(found[0]).toMatchObject({ place: `${path} chat 1`, reason: 'its end is missing' });
    const short = await findIn('jetbrains', path, cut.slice(0, -100));
    expect(short.map(({ kind }) => kind)).toEqual(['skipped', 'conversation', 'skipped']);
  });
});

describe('the log of an agent in JetBrains', () => {
  const event = (kind: string, fields: object) => ({
    type: 'com.intellij.ml.llm.chat.shared.ChatSessionMessageBlockEvent',
    event: { kind: `com.intellij.ml.llm.aui.events.api.${kind}`, ...fields },
  });
  const log = (...records: object[]) =>
    ['AUI_EVENTS_V1', ...records.map((each) => Buffer.from(JSON.stringify(each)).toString('base64')), ''].join('\n');
  const prompt = {
    type: 'com.intellij.ml.llm.chat.shared.ChatSessionUserPromptEvent',
    prompt: 'Mend it.',
    agentId: { id: 'acp.registry.junie' },
  };

  it('joins the pieces of an answer, keeps its last version, and names the others', async () => {
    const found = await findIn(
      'jetbrains',
      'aia-task-history/abc.events',
      log(
        prompt,
        event('AgentThoughtBlockUpdatedEvent', { stepId: '1', text: 'hidden' }),
        event('MarkdownBlockUpdatedEvent', { stepId: '2', textChunk: 'I look ' }),
        event('ToolBlockUpdatedEvent', { stepId: '3', text: 'hidden' }),
        event('MarkdownBlockUpdatedEvent', { stepId: '2', textChunk: 'at it.' }),
        event('MarkdownBlockUpdatedEvent', { stepId: '4', text: 'It is' }),
        event('MarkdownBlockUpdatedEvent', { stepId: '4', text: 'It is mended.' }),
        event('ResultBlockUpdatedEvent', { stepId: '5', result: 'Done.' }),
        { type: 'com.intellij.ml.llm.chat.shared.ChatSessionFinishedEvent' },
      ),
    );
    const [{ messages: said, ...about } = { messages: [] }] = conversationsOf(found);
    expect(said.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Mend it.',
      'assistant: I look at it.',
      'assistant: It is mended.',
      'assistant: Done.',
    ]);
    expect(about).toEqual({
      source: 'jetbrains',
      title: 'Mend it.',
      metadata: {
        upstream_thread_id: 'abc',
        model: 'acp.registry.junie',
        importer: 'jetbrains',
        platform: 'jetbrains',
      },
    });
    expect(found[0]).toMatchObject({
      leftOut: {
        "they are the model's thinking": 1,
        'they are tool calls or tool results': 1,
        'a later version of them is kept': 1,
      },
    });
  });

  it('names a line that cannot be read', async () => {
    const found = await findIn('jetbrains', 'abc.events', `${log(prompt)}eyJ0\nnot base64!\n`);
    expect(found.map(({ kind }) => kind)).toEqual(['skipped', 'skipped', 'conversation']);
  });
});

describe('XML', () => {
  it('is read with comments, CDATA, both quotes and odd entities', async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE a><a><!-- <b/> --><b x='1 > "0"' y = "&apos;&#1114112;&no;"><![CDATA[<c>&amp;]]> d</b><b/></a>`;
    const found: (Element | undefined)[] = [];
    for await (const each of elementsNamed(xml, 'b')) found.push(each);
    expect(found.map((each) => each?.text)).toEqual(['<c>&amp; d', '']);
    expect(Object.fromEntries(found[0]?.attributes ?? [])).toEqual({ x: '1 > "0"', y: "'&#1114112;&no;" });
  });

  it.each(['<b', '<b x="', '<!--', '<![CDATA[', '<b>', '<', '</', '<b x=', '&#', '"'])(
    'takes linear time for many of %s',
    async (part) => {
      const read = async (length: number) => {
        const started = process.cpuUsage();
        for await (const _ of elementsNamed(`<b>${part.repeat(length)}`, 'b'));
        const { user, system } = process.cpuUsage(started);
        return (user + system) / 1_000;
      };
      await read(1_000);
      expect(await read(200_000)).toBeLessThan(2_000);
    },
  );
});
