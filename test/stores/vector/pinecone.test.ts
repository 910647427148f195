import { afterAll, describe, expect, it } from 'vitest';
import { pinecone } from '../../../src/stores/vector/drivers/pinecone.js';
import { startPinecone } from '../../fakes/pinecone.js';
import { describeWiredStore } from '../../support/wired-store.js';

const apiKey = 'key of the stand-in';
const common = { apiKey, namespace: 'default', cloud: 'aws', region: 'us-east-1', createIndex: true };

afterAll(() => {
  delete process.env.PINECONE_CONTROLLER_HOST;
});

async function start() {
  const wire = await startPinecone({ apiKey });
  process.env.PINECONE_CONTROLLER_HOST = wire.url;
  return wire;
}

describeWiredStore('pinecone', {
  driver: pinecone,
  start,
  settings: (_, index) => ({ ...common, index }),
});

describe('the pinecone store', () => {
  it('says that its index is missing where it may not create one', async () => {
    const store = pinecone.create({ settings: { ...common, index: 'missing', createIndex: false }, path: '' });
    await expect(store.open({ dimension: 8, distance: 'cosine' })).rejects.toMatchObject({
      name: 'StartupError',
      message: 'The Pinecone index missing does not exist.',
      hint: expect.stringContaining('create_index'),
    });
  });
});
