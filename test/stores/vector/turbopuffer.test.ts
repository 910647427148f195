import { afterAll } from 'vitest';
import { turbopuffer } from '../../../src/stores/vector/drivers/turbopuffer.js';
import { startTurbopuffer } from '../../fakes/turbopuffer.js';
import { describeWiredStore } from '../../support/wired-store.js';

const apiKey = 'key of the stand-in';

afterAll(() => {
  delete process.env.TURBOPUFFER_BASE_URL;
});

describeWiredStore('turbopuffer', {
  driver: turbopuffer,
  start: async () => {
    const wire = await startTurbopuffer({ apiKey });
    process.env.TURBOPUFFER_BASE_URL = `${wire.url}/{region}`;
    return wire;
  },
  settings: (_, namespace) => ({ apiKey, namespace, region: 'gcp-us-central1' }),
});
