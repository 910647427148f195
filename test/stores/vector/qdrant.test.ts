import { qdrant } from '../../../src/stores/vector/drivers/qdrant.js';
import { startQdrant } from '../../fakes/qdrant.js';
import { describeWiredStore } from '../../support/wired-store.js';

const apiKey = 'key of the stand-in';

describeWiredStore('qdrant', {
  driver: qdrant,
  start: () => startQdrant({ apiKey }),
  settings: ({ url }, collection) => ({ url, apiKey, collection }),
});
