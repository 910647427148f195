// basic-memory over MCP, as assistants meet it: one markdown note for each conversation, found by its own search.
//
// It answers notes, not messages, so its hits are conversations: the note that `write_note` named is mapped back to the
// conversation it was written from. Ten notes hold far more text than ten messages, which the table of recall says.
// Its semantic search needs a model that it downloads and takes no vectors from outside, so it searches by words.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { pythonWith } from './install.mjs';

// The newest whose dependencies could all be had when this was written.
const version = '0.23.2';
const wanted = { name: 'basic-memory', packages: [`basic-memory==${version}`], oldest: 12 };

export const basicMemory = {
  name: 'basic-memory',
  title: 'basic-memory',
  model: 'none',
  level: 'conversation',
  async install(cache) {
    await pythonWith(cache, wanted);
    return `basic-memory ${version}`;
  },
  open: openNotes,
};

async function openNotes({ folder, cache }) {
  const python = await pythonWith(cache, wanted);
  const transport = new StdioClientTransport({
    command: python,
    args: ['-c', 'from basic_memory.cli.main import app; app()', 'mcp'],
    stderr: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      BASIC_MEMORY_HOME: join(folder, 'notes'),
      BASIC_MEMORY_CONFIG_DIR: join(folder, 'config'),
      BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED: 'false',
      BASIC_MEMORY_AUTO_UPDATE: 'false',
      BASIC_MEMORY_LOG_LEVEL: 'ERROR',
      FASTMCP_CHECK_FOR_UPDATES: 'off',
    },
  });
  const client = new Client({ name: 'threadkeep-bench', version: '1' });
  await client.connect(transport);
  const keys = new Map();
  let number = 0;
  const call = async (name, input) => {
    const answer = await client.callTool({ name, arguments: { ...input, output_format: 'json' } });
    const result = answer.structuredContent?.result;
    if (answer.isError || result === undefined || result.error) {
      throw new Error(`${name} failed: ${(result?.error ?? answer.content[0]?.text ?? '').slice(0, 200)}`);
    }
    return result;
  };

  return {
    // The process around it is only its client.
    pids: [transport.pid],
    async insert({ key, source, title, messages }) {
      number += 1;
      const { permalink } = await call('write_note', {
        // Notes of one folder may not share a title.
        title: `${title ?? 'Conversation'} (${number})`,
        content: messages.map(({ role, text }) => `**${role}**: ${text}`).join('\n\n'),
        directory: source,
        metadata: { source },
      });
      keys.set(permalink, key);
    },
    async search({ text, source, limit }) {
      const { results } = await call('search_notes', {
        query: text,
        // While it indexes a note again, the same note may be answered twice.
        page_size: limit * 2,
        entity_types: ['entity'],
        ...(source === undefined ? {} : { metadata_filters: { source } }),
      });
      const found = new Map(results.map(({ permalink, content }) => [permalink, content]));
      return [...found].slice(0, limit).map(([permalink, text]) => ({ key: keys.get(permalink) ?? permalink, text }));
    },
    close: () => client.close(),
  };
}
