import type { ObjectKind } from './objects.js';

export interface Rule {
  /** The first words of a clause it may match, in small letters without what follows an apostrophe. */
  starts: readonly string[];
  /** Matches from the beginning of a clause; the group `object` holds the value. */
  pattern: () => RegExp;
  predicate: string | ((groups: Groups, object: string) => string | undefined);
  kind: ObjectKind;
  /** The sentence says that it is over. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
}

export type Groups = Readonly<Record<string, string | undefined>>;

type Shape = string;
type Extra = Partial<Pick<Rule, 'ends' | 'project'>> & {
  /** The same words with "you" and "your" count when the assistant says them. */
  assistant?: true;
};

export interface RuleTable {
  user: Rule[];
  assistant: Rule[];
}

const often =
  "(?:(?:really|currently|now|still|also|just|actually|already|both|always|usually|often|mostly|mainly|recently|simply|absolutely|truly|totally|definitely|very much|quite|kind of|sort of|have|'ve|personally|only|officially|finally|originally|generally) )*";

const persons = {
  user: {
    I: 'i',
    am: "(?:i am|i'm|im|i've been|i have been)",
    have: "(?:i have|i've got|i have got|i've)",
    my: '(?:my|our)',
    we: 'we',
  },
  assistant: { I: 'you', am: "(?:you are|you're)", have: "(?:you have|you've got)", my: 'your', we: 'you' },
};

/**
 * Rules as lines: the first words, the shape, the predicate and the kind of value. In a shape `{I}`, `{am}`, `{have}` and
 * `{my}` stand for the speaker, `{often}` for adverbs, and `{}` for the value; a blank is any white space.
 */
export function rules(
  lines: readonly (readonly [
    starts: string,
    shape: Shape,
    predicate: Rule['predicate'],
    kind: ObjectKind,
    extra?: Extra,
  ])[],
): RuleTable {
  const table: RuleTable = { user: [], assistant: [] };
  for (const [starts, shape, predicate, kind, { assistant, ...extra } = {}] of lines) {
    const words = starts.split(' ');
    const made = { predicate, kind, ...extra };
    table.user.push({ ...made, starts: words, pattern: patternOf(shape, persons.user) });
    if (assistant) {
      const spoken = words.map((word) =>
        word === 'i' || word === 'im' || word === 'we' ? 'you' : /^(?:my|our)$/.test(word) ? 'your' : word,
      );
      table.assistant.push({ ...made, starts: spoken, pattern: patternOf(shape, persons.assistant) });
    }
  }
  return table;
}

/** Made when it is first needed: most commands never read a message, and a start should not pay for the rules. */
function patternOf(shape: Shape, person: Record<string, string>): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= compiled(shape, person);
    return made;
  };
}

function compiled(shape: Shape, person: Record<string, string>): RegExp {
  const text = shape
    .replace(/\{(\w+)\}/g, (whole, name: string) => (name === 'often' ? often : (person[name] ?? whole)))
    .replaceAll('{}', '(?<object>.+)')
    .replaceAll(' ?', '\\s?')
    .replaceAll(' ', '\\s+');
  return new RegExp(`^${text}`, 'diu');
}
