export interface PeerConversation {
  key: string;
  source: string;
  title: string;
  timestamp: string;
  messages: { role: string; text: string }[];
}

export interface PeerHit {
  key?: string;
  keys?: string[];
  index?: number;
  text: string;
}

export interface PeerStore {
  insert(conversation: PeerConversation): Promise<void>;
  search(query: { text: string; source?: string; limit: number }): Promise<PeerHit[]>;
  settle?(): Promise<void>;
  pids?: number[];
  close(): Promise<void>;
}

export interface Embedder {
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  dimension: number;
}

export interface Peer {
  name: string;
  title: string;
  model: string;
  givenVectors?: boolean;
  level?: 'conversation';
  install(cache: string): Promise<string>;
  open(options: { folder: string; cache: string; embedder: Embedder; filling: boolean }): Promise<PeerStore>;
}

export const peerNames: string[];
export function peerNamed(name: string): Promise<Peer>;
