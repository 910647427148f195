export interface PeerReport {
  name: string;
  title: string;
  model: string;
  level: 'message' | 'conversation';
  version?: string;
  skipped?: string;
  failed?: string;
  speed?: Record<'messagesPerSecond' | 'residentFilled' | 'p50' | 'p95' | 'resident' | 'disk' | 'diskShare', number>;
  recall?: ({ suite: string; questions: number } & Record<string, unknown>)[];
}

export function benchPeers(options: {
  chunks: number;
  only?: readonly string[];
  data?: string;
  suites?: readonly string[];
  cache?: string;
  onReport?: (report: readonly PeerReport[]) => void;
}): Promise<PeerReport[]>;
