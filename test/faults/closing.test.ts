import { expect, it, onTestFinished } from 'vitest';
import { aNote, invented } from '../support/conversation.js';
import { createFaults, type FaultyCall } from '../support/faults/faults.mjs';
import { startService } from '../support/service.js';

const code: Partial<Record<FaultyCall, string>> = {
  'metadata.close': 'metadata_unavailable',
  'vectors.close': 'vector_unavailable',
};

it.each(Object.entries(code))('%s that hangs does not keep the service from ending', async (call, code) => {
  const faults = createFaults();
  onTestFinished(() => faults.clear());
  const service = await startService(
    { providers: { vector_db: 'lancedb' }, storage: { timeout_ms: 3_000 } },
    { around: faults.around },
  );
  await service.insert(aNote(invented(1)));
  faults.set({ on: call as FaultyCall, fault: 'hang' });
  await expect(service.close()).rejects.toMatchObject({ code });
  // The other one was closed all the same.
  expect(faults.calls('metadata.close') + faults.calls('vectors.close')).toBe(2);
});
