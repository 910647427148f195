import { describeService } from './service.js';

describeService('sqlite and lancedb', { empty: async () => ({ providers: { vector_db: 'lancedb' } }) });
describeService('sqlite and memory', { empty: async () => ({}), vectorsInMemory: true });
