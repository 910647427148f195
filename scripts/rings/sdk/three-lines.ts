import { openMemory } from 'threadkeep';

const memory = await openMemory({ dataDir: './memory' });
await memory.insert({ messages: [{ role: 'user', text: 'My bicycle is blue.' }] });
for (const hit of (await memory.search('bicycle')).results) console.log(hit.text);
console.log((await memory.ask('What colour is my bicycle?')).answer);
await memory.close();
