import { afterAll, beforeAll } from 'vitest';
import { onPostgres, startPostgres } from '../support/stores.js';
import { describeService } from './service.js';

let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describeService('postgres and pgvector', { empty: async () => onPostgres(await postgres.emptyPlace()) });
