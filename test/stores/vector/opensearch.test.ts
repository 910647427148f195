import { opensearch } from '../../../src/stores/vector/drivers/search-cluster/opensearch.js';
import { startCluster } from '../../fakes/search-cluster.js';
import { describeWiredStore } from '../../support/wired-store.js';

const authorization = `Basic ${Buffer.from('keeper:pass: word').toString('base64')}`;

describeWiredStore('opensearch', {
  driver: opensearch,
  start: () => startCluster('opensearch', { authorization }),
  settings: ({ url }, index) => ({ url, username: 'keeper', password: 'pass: word', index }),
});
