// Sharing with a team: a project that several people read and write, beside the private memory of each. Once, where the
// server runs with `api.auth: bearer_token`:
//   threadkeep admin user create nora       threadkeep admin user create omar
//   threadkeep admin project create team-x --owner nora --name "Team X"
//   threadkeep admin token create --user nora       threadkeep admin token create --user omar
// Then: NORAS_TOKEN=… OMARS_TOKEN=… node team.mjs http://127.0.0.1:8000
import { connectMemory, MemoryError } from 'threadkeep/client';

const [url = 'http://127.0.0.1:8000'] = process.argv.slice(2);
const nora = connectMemory({ url, token: process.env.NORAS_TOKEN, source: 'team' });
const omar = connectMemory({ url, token: process.env.OMARS_TOKEN, source: 'team' });
const project_id = 'team-x';
/** Only what fits well: a search always shows its nearest results too. */
const found = (query) => omar.search({ query, project_id, match: 'strong' });

await nora.insert({ messages: [{ role: 'user', text: 'My salary talk is on Friday.' }] });
await nora.insert({ project_id, messages: [{ role: 'user', text: 'The release is on the ninth of March.' }] });
process.stdout.write(`before: ${await outcome(() => found('release'))}\n`);

await nora.projects.setMember({ project_id, user: 'omar', role: 'reader' });
process.stdout.write(`release: ${await outcome(() => found('release'))}\n`);
process.stdout.write(`salary: ${await outcome(() => found('salary'))}\n`);
const note = { project_id, messages: [{ role: 'user', text: 'The release notes are written.' }] };
process.stdout.write(`reader writes: ${await outcome(() => omar.insert(note))}\n`);

await nora.projects.setMember({ project_id, user: 'omar', role: 'writer' });
process.stdout.write(`writer writes: ${await outcome(() => omar.insert(note))}\n`);
await nora.projects.removeMember({ project_id, user: 'omar' });
process.stdout.write(`after: ${await outcome(() => found('release'))}\n`);
await Promise.all([nora.close(), omar.close()]);

/** The texts that were found, the status of what was saved, or the code of the refusal. */
async function outcome(call) {
  try {
    const { status, results } = await call();
    return results === undefined ? status : results.map((hit) => hit.text).join(' | ') || 'nothing';
  } catch (error) {
    if (error instanceof MemoryError) return error.code;
    throw error;
  }
}
