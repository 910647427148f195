import { chromadb } from '../../src/stores/vector/drivers/chromadb.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('chromadb on its own server', {
  driver: chromadb,
  variable: 'REAL_CHROMADB_URL',
  settings: (url, collection) => ({ url, collection }),
});
