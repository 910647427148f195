import { opensearch } from '../../src/stores/vector/drivers/search-cluster/opensearch.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('opensearch on its own server', {
  driver: opensearch,
  variable: 'REAL_OPENSEARCH_URL',
  settings: (url, index) => ({ url, username: '', password: '', index }),
});
