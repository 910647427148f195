// All that are compared. Each is loaded only where it runs: loading another's library would count as its memory.
//
// A peer has a `name`, a `title`, the `model` of its vectors, and
//   install(cache)  makes it ready and answers its version; throws with the reason when it cannot be had
//   open({ folder, cache, embedder, filling })  answers its store; with `givenVectors` it needs the embedder
// A store has
//   insert({ key, source, title, timestamp, messages })  which is on disk when it returns
//   search({ text, source?, limit })  answers hits, best first: { key or keys, index, text }; without `index` where the
//                                     `level` of the peer is 'conversation'
//   settle?()  after a burst of writes, until it has tidied up
//   pids       its processes, their children included; without them, it runs in this one
//   close()
const modules = {
  threadkeep: async () => (await import('./threadkeep.mjs')).threadkeep,
  fts5: async () => (await import('./sqlite.mjs')).fts5,
  'sqlite-vec': async () => (await import('./sqlite.mjs')).sqliteVec,
  lancedb: async () => (await import('./lancedb.mjs')).lancedb,
  chroma: async () => (await import('./chroma.mjs')).chroma,
  mem0: async () => (await import('./mem0.mjs')).mem0,
  'basic-memory': async () => (await import('./basic-memory.mjs')).basicMemory,
};

export const peerNames = Object.keys(modules);

export async function peerNamed(name) {
  const load = modules[name];
  if (load === undefined) throw new Error(`no peer is named ${name}: choose from ${peerNames.join(', ')}`);
  return load();
}
