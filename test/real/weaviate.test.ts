import { weaviate } from '../../src/stores/vector/drivers/weaviate.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('weaviate on its own server', {
  driver: weaviate,
  variable: 'REAL_WEAVIATE_URL',
  settings: (url, name) => ({ url, apiKey: '', collection: `C${name}` }),
});
