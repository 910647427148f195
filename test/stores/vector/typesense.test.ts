import { typesense } from '../../../src/stores/vector/drivers/typesense.js';
import { startTypesense } from '../../fakes/typesense.js';
import { describeWiredStore } from '../../support/wired-store.js';

const apiKey = 'key of the stand-in';

describeWiredStore('typesense', {
  driver: typesense,
  start: () => startTypesense({ apiKey }),
  settings: ({ url }, collection) => ({ url, apiKey, collection }),
});
