// A coding agent's notes with Anthropic's memory tool: the commands below are what the model sends in `tool_use` blocks.
import { openMemory } from 'threadkeep';
import { MemoryToolError, memoryTool } from 'threadkeep/anthropic';

const [folder = './memory'] = process.argv.slice(2);
const memory = await openMemory({ dataDir: folder });
const tool = memoryTool(memory, { name: 'coder' });

const blocks = [
  { command: 'create', path: '/memories/build.md', file_text: 'Use npm.\nTests need a build first.\n' },
  { command: 'str_replace', path: '/memories/build.md', old_str: 'npm', new_str: 'npm 10' },
  { command: 'view', path: '/memories/build.md' },
  { command: 'view', path: '/memories/missing.md' },
];
for (const input of blocks) {
  const result = await tool.handle(input).catch((error) => {
    if (error instanceof MemoryToolError) return `is_error: ${error.message}`;
    throw error;
  });
  process.stdout.write(`${result}\n`);
}
await memory.close();
