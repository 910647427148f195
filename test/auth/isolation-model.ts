import type { ProjectRole } from '../../src/model/access.js';

export interface Memory {
  id: string;
  project: string;
  status: 'active' | 'pending_review' | 'rejected';
  /** Words that only this memory holds. */
  words: string;
}

export interface Person {
  name: string;
  own: string;
  disabled: boolean;
}

/** What the service ought to know and allow, in the plainest form: maps and lists. */
export function createModel(people: readonly Person[]) {
  const roles = new Map<string, Map<string, ProjectRole>>();
  const memories: Memory[] = [];

  function roleOf(person: Person, project: string): ProjectRole | undefined {
    return project === person.own ? 'admin' : roles.get(project)?.get(person.name);
  }

  return {
    people,
    roles,
    memories,
    roleOf,

    /** The status of an answer that depends on nothing but the caller and the project. */
    gate(person: Person, project: string | undefined, needs: 'read' | 'write'): 200 | 401 | 403 {
      if (person.disabled) return 401;
      const role = roleOf(person, project ?? person.own);
      if (role === undefined || (needs === 'write' && role === 'reader')) return 403;
      return 200;
    },

    projectsOf(person: Person): string[] {
      const shared = [...roles].filter(([, members]) => members.has(person.name)).map(([project]) => project);
      return [person.own, ...shared].sort();
    },

    activeIn: (project: string): Memory[] =>
      memories.filter((memory) => memory.project === project && memory.status === 'active'),
  };
}

export type Model = ReturnType<typeof createModel>;

/** A stream of choices that is the same for the same seed. */
export function choices(seed: number) {
  let state = seed >>> 0;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (most: number): number => Math.floor(draw() * most),
    oneOf: <T>(items: readonly T[]): T => {
      const item = items[Math.floor(draw() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
    chance: (share: number): boolean => draw() < share,
  };
}

export type Choices = ReturnType<typeof choices>;
