import type { MemoryStatus } from './conversation.js';

/**
 * The scope of a chunk: its project, and its memory status unless that is active. Stores filter by it, so neither
 * another project's chunk nor a pending one can ever fill a caller's candidate list.
 */
export function scopeOf(projectId: string, status: MemoryStatus): string {
  return status === 'active' ? `project:${projectId}` : `project:${projectId}:${status}`;
}
