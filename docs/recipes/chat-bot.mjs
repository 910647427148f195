// A chat bot that remembers. Run it twice: `node chat-bot.mjs ./memory "My bicycle is blue."`, then
// `node chat-bot.mjs ./memory "What colour is my bicycle?"`. Put your model in place of `reply`.
import { openMemory } from 'threadkeep';

const [folder = './memory', said = 'Hello'] = process.argv.slice(2);
const memory = await openMemory({ dataDir: folder, source: 'chat-bot' });

const { results } = await memory.search({ query: said, top_k: 3, match: 'strong' });
const answer = await reply({ said, recalled: results.map((hit) => hit.text) });
await memory.insert({
  messages: [
    { role: 'user', text: said },
    { role: 'assistant', text: answer },
  ],
});
process.stdout.write(`${answer}\n`);
await memory.close();

/** A stand-in for a model: it says what it was given. */
async function reply({ recalled }) {
  return recalled.length === 0 ? 'Tell me more.' : `You told me: ${recalled.join(' ')}`;
}
