import { milvus } from '../../src/stores/vector/drivers/milvus.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('milvus on Milvus Lite', {
  driver: milvus,
  variable: 'REAL_MILVUS_URL',
  settings: (uri, collection) => ({ uri, token: '', collection }),
});
