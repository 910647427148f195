import { mongodbAtlas } from '../../../src/stores/vector/drivers/mongodb-atlas.js';
import { startAtlas } from '../../fakes/mongodb-atlas.js';
import { describeWiredStore } from '../../support/wired-store.js';

describeWiredStore('mongodb_atlas', {
  driver: mongodbAtlas,
  start: startAtlas,
  settings: ({ url }, collection) => ({ uri: url, database: 'threadkeep', collection, index: 'memory_vector_index' }),
});
