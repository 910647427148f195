import { redis } from '../../src/stores/vector/drivers/redis/redis.js';
import { describeRealStore } from '../support/real-store.js';

describeRealStore('redis with vector sets on its own server', {
  driver: redis,
  variable: 'REAL_REDIS_URL',
  settings: (url, name) => ({ url, index: name, keyPrefix: `${name}:` }),
  distances: ['cosine'],
});
