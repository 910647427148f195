import type { Candidate, QueryTraits } from '../../src/retrieval/candidate.js';

export function aCandidate(name: string, parts: Partial<Candidate> = {}): Candidate {
  return {
    chunkId: name,
    conversationId: name,
    chunkIndex: 0,
    messageIndex: 0,
    role: 'user',
    text: '',
    at: '2026-01-01T00:00:00.000Z',
    metadataMatch: 0,
    ...parts,
  };
}

export function aQuery(parts: Partial<QueryTraits> = {}): QueryTraits {
  return { people: new Set(), pieces: [], asksNumber: false, asksWhen: false, timeFit: () => 0, ...parts };
}
