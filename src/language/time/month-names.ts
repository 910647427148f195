import { derived } from '../languages.js';

/** The months as answers and facts spell them, January first: those of the first language that names them. */
export const monthNames = derived(
  (languages): readonly string[] =>
    languages.find(({ time }) => time?.dates?.monthNames !== undefined)?.time?.dates?.monthNames?.split(' ') ?? [],
);
