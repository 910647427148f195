// A process in which no client package can be found: opens every driver and prints what each says.
import { register } from 'node:module';

const dist = new URL('../../dist/stores/', import.meta.url);
const { vectorDrivers } = await import(new URL('vector/drivers.js', dist).href);
const { metadataDrivers } = await import(new URL('metadata/drivers.js', dist).href);
const remote = [...Object.values(vectorDrivers), metadataDrivers.postgres, metadataDrivers.mongodb];
const clients = remote.flatMap(({ needs }) => (needs === undefined ? [] : [needs.package]));

const hook = `
const clients = new Set(${JSON.stringify(clients)});
export function resolve(specifier, context, next) {
  if (clients.has(specifier)) throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const url = 'http://127.0.0.1:1';
const settings = { url, uri: url, collection: 'c', index: 'i', namespace: 'n', schema: 's', tableName: 't' };
const said = [];
for (const driver of remote) {
  if (driver.needs === undefined) continue;
  const store = driver.create({ settings, path: '' });
  const shapeOrTables = 'persistent' in driver ? { dimension: 4, distance: 'cosine' } : [];
  const { code, hint } = await store.open(shapeOrTables).then(
    () => ({ code: 'opened' }),
    (error) => error,
  );
  said.push({ name: driver.name, code, hint });
}
process.stdout.write(JSON.stringify(said));
