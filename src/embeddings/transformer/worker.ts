import { serveEmbeddings } from '../worker/serve.js';
import { openTransformer, type TransformerSource } from './open.js';

/** The properties that the model reports once it is open. */
export interface TransformerReady {
  dimension: number;
  checksum: string;
}

await serveEmbeddings(async (source: TransformerSource) => {
  const { dimension, checksum, embed } = await openTransformer(source);
  return { ready: { dimension, checksum }, embed };
});
