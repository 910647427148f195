// What the library has that is made from the code: its types, and the report of its interface.
import { readFileSync } from 'node:fs';
import { operations } from '../../dist/operations/table.js';
import { pythonTypes } from './python-types.mjs';
import { wireTypes } from './wire-types.mjs';

export const sdkFiles = {
  'src/sdk/wire.ts': () => wireTypes(operations),
  'docs/sdk-api.md': apiReport,
  'clients/python/threadkeep/types.py': () => pythonTypes(operations),
};

/** The sections of the report, entry points for the most part, each with the files whose declarations it shows. */
const shown = {
  '`threadkeep`': ['index', 'open-options', 'memory'],
  '`threadkeep/client`': ['client', 'connection'],
  '`threadkeep/ai-sdk`': ['adapters/ai-sdk'],
  '`threadkeep/anthropic`': ['adapters/anthropic'],
  '`threadkeep/langchain`': ['adapters/langchain'],
  '`threadkeep/llamaindex`': ['adapters/llamaindex'],
  '`threadkeep/mastra`': ['adapters/mastra'],
  '`threadkeep/mem0`': ['adapters/mem0'],
  '`threadkeep/openai-agents`': ['adapters/openai-agents'],
  'What adapters share': ['adapters/exchange', 'adapters/tool-texts'],
};

/** The declarations that ship. A change of this file is a change of what programs are written against. */
function apiReport() {
  const parts = Object.entries(shown).map(([title, files]) => {
    const texts = files.map((name) => readFileSync(new URL(`../../dist/sdk/${name}.d.ts`, import.meta.url), 'utf8'));
    return `## ${title}\n\n\`\`\`ts\n${texts.map((text) => text.trim()).join('\n\n')}\n\`\`\`\n`;
  });
  const types = `## Inputs and answers\n\n\`\`\`ts\n${wireTypes(operations).split('\n').slice(2).join('\n').trim()}\n\`\`\`\n`;
  return [
    '# The interface of the library\n',
    'Written by `npm run docs`; a test fails when it is stale. [The library](sdk.md) tells how to use it and what a new version may change.\n',
    ...parts,
    types,
  ].join('\n');
}
