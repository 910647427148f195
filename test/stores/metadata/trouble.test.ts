import { expect, test } from 'vitest';
import type { MetadataStore } from '../../../src/stores/metadata/contract.js';
import { observedMetadata } from '../../../src/stores/metadata/wrappers.js';

function failing(with_: object): MetadataStore {
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error('disk said something about /home/somebody'), with_);
  };
  const store = { open: fail, write: fail, find: fail, count: fail, snapshot: fail, close: async () => {} };
  return observedMetadata(store, { record: () => {} });
}

test.each([
  ['a full disk', { errcode: 13 }, 'Free some space'],
  ['a full disk of a server', { code: '53100' }, 'Free some space'],
  ['a full disk as the system names it', { code: 'ENOSPC' }, 'Free some space'],
  ['a read-only file', { errcode: 8 }, 'may write to it'],
  ['a file that cannot be opened', { errcode: 14 }, 'may write to it'],
  ['a failing disk', { errcode: 10 | (3 << 8) }, 'Check the disk'],
  ['a damaged file', { errcode: 11 }, 'threadkeep restore'],
  ['a busy file', { errcode: 5 }, 'Try again'],
  ['anything else', { code: 'ECONNREFUSED' }, 'see the server log'],
])('says what to do about %s, and nothing of what the library said', async (_, error, remedy) => {
  const { message, code } = (await failing(error)
    .write([])
    .catch((each: Error & { code: string }) => each as Error & { code: string })) as Error & { code: string };
  expect({
    code,
    says: message.includes(remedy),
    keeps: message.includes('nothing that was acknowledged is lost'),
  }).toEqual({
    code: 'metadata_unavailable',
    says: true,
    keeps: true,
  });
  expect(message).not.toContain('somebody');
});
