import { elasticsearch } from '../../src/stores/vector/drivers/search-cluster/elasticsearch.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('elasticsearch on its own server', {
  driver: elasticsearch,
  variable: 'REAL_ELASTICSEARCH_URL',
  settings: (url, index) => ({ url, username: '', password: '', index }),
});
