import { type MemoryStatus, memoryStatuses } from './conversation.js';

/**
 * The scope of a chunk: its project, and its memory status unless that is active. Stores filter by it, so neither
 * another project's chunk nor a pending one can ever fill a caller's candidate list.
 */
export function scopeOf(projectId: string, status: MemoryStatus): string {
  return status === 'active' ? `project:${projectId}` : `project:${projectId}:${status}`;
}

/** Every scope of a project: the statistics of its words are counted in all of them and nowhere else. */
export function projectScopes(projectId: string): string[] {
  return memoryStatuses.map((status) => scopeOf(projectId, status));
}
