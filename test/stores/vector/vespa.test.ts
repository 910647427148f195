import { vespa } from '../../../src/stores/vector/drivers/vespa.js';
import { startVespa } from '../../fakes/vespa.js';
import { describeWiredStore } from '../../support/wired-store.js';

const token = 'token of the stand-in';

const shapeIsDeployed = {
  reason: 'the schema is deployed by hand, so another dimension needs another deployment',
  cases: ['is empty and takes another shape after a reset', 'can be reset after it refused to open with another shape'],
};

for (const distance of vespa.distances) {
  describeWiredStore(`vespa, deployed for ${distance},`, {
    driver: vespa,
    isolated: true,
    distance,
    distances: [distance],
    start: () => startVespa({ token, dimension: 8, distance }),
    settings: ({ url }) => ({
      url,
      token,
      namespace: 'memory',
      schema: 'memory_vector',
      rankProfile: 'vector_similarity',
    }),
    // The whole suite once; of the other deployments what depends on the distance.
    ...(distance === 'cosine'
      ? { skip: [shapeIsDeployed] }
      : { only: /^(orders by|ranks like|finds what|refuses to open)/ }),
  });
}
