import { serveEmbeddings } from '../worker/serve.js';
import { createStaticModel, loadTable } from './embed.js';

export interface StaticReady {
  checksum: string;
}

await serveEmbeddings(async (folder: string) => {
  const table = await loadTable(new URL(folder));
  const { embed } = createStaticModel(table);
  return { ready: { checksum: table.checksum }, embed: async (texts) => texts.map(embed) };
});
