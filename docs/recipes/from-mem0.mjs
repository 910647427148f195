// Moving from mem0: the program is the old one with another import.
import { Memory } from 'threadkeep/mem0';

const [folder = './memory'] = process.argv.slice(2);
const memory = new Memory({ dataDir: folder });
await memory.add([{ role: 'user', content: 'I am allergic to walnuts.' }], { userId: 'alice' });
await memory.add('I like walnut cake.', { userId: 'bob' });
const { results } = await memory.search('walnuts', { filters: { user_id: 'alice' } });
for (const { memory: text } of results) process.stdout.write(`${text}\n`);
await memory.close();
