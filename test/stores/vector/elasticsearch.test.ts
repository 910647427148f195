import { elasticsearch } from '../../../src/stores/vector/drivers/search-cluster/elasticsearch.js';
import { startCluster } from '../../fakes/search-cluster.js';
import { describeWiredStore } from '../../support/wired-store.js';

const authorization = `Basic ${Buffer.from('keeper:pass: word').toString('base64')}`;

describeWiredStore('elasticsearch', {
  driver: elasticsearch,
  start: () => startCluster('elasticsearch', { authorization }),
  settings: ({ url }, index) => ({ url, username: 'keeper', password: 'pass: word', index }),
});
