import assert from 'node:assert/strict';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { memoryTool } from 'threadkeep/anthropic';
import { opened } from './opened.js';

const memory = await opened();
const tool = betaMemoryTool(memoryTool(memory));
const call = (input: Parameters<typeof tool.run>[0]) => tool.run(input);
await call({ command: 'create', path: '/memories/todo.md', file_text: 'Buy a bell for the bicycle.\n' });
assert.match(String(await call({ command: 'view', path: '/memories/todo.md' })), /1\tBuy a bell/);
await call({ command: 'str_replace', path: '/memories/todo.md', old_str: 'bell', new_str: 'lamp' });
assert.ok((await memory.search('lamp')).results.some((hit) => hit.text.includes('lamp')));
await memory.close();
