// A coding agent that keeps notes with the memory tool of Anthropic's Messages API. Run it twice: the second run reads what
// the first wrote down. Put `client.messages.create({ model, messages, tools })` in place of `scripted`.
//   node memory-tool.mjs ./memory
import { openMemory } from 'threadkeep';
import { MemoryToolError, memoryTool } from 'threadkeep/anthropic';

const [folder = './memory'] = process.argv.slice(2);
const memory = await openMemory({ dataDir: folder });
const tool = memoryTool(memory, { name: 'coder' });

const messages = [{ role: 'user', content: 'How do I run the tests of this project?' }];
for (;;) {
  const { content, stop_reason } = scripted(messages);
  messages.push({ role: 'assistant', content });
  for (const block of content) if (block.type === 'text') process.stdout.write(`${block.text}\n`);
  if (stop_reason !== 'tool_use') break;
  const results = [];
  for (const block of content) if (block.type === 'tool_use') results.push(await resultOf(block));
  messages.push({ role: 'user', content: results });
}
await memory.close();

/** A command that cannot be carried out is told to the model, which then tries something else. */
async function resultOf({ id, input }) {
  try {
    return { type: 'tool_result', tool_use_id: id, content: await tool.handle(input) };
  } catch (error) {
    if (!(error instanceof MemoryToolError)) throw error;
    return { type: 'tool_result', tool_use_id: id, content: error.message, is_error: true };
  }
}

/** Stands in for a model: looks for its notes, writes them if there are none, corrects them, and answers from them. */
function scripted(said) {
  const path = '/memories/build.md';
  const last = said.at(-1).content;
  const step = said.filter(({ role }) => role === 'assistant').length;
  const use = (input) => ({
    content: [{ type: 'tool_use', id: `call-${step}`, name: 'memory', input }],
    stop_reason: 'tool_use',
  });
  if (step === 0) return use({ command: 'view', path });
  const [{ content, is_error }] = last;
  if (is_error) return use({ command: 'create', path, file_text: 'Run npm test.\nIt needs Node 18.\n' });
  if (content.includes('created')) return use({ command: 'str_replace', path, old_str: 'Node 18', new_str: 'Node 20' });
  if (step < 4 && !content.includes('Run npm test.')) return use({ command: 'view', path });
  return { content: [{ type: 'text', text: `After ${step} calls: ${content}` }], stop_reason: 'end_turn' };
}
