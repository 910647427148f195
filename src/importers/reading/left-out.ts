/** Why a message of an export is not kept. Reports count them, so that no message is missing without a word. */
export const notKept = {
  empty: 'they have no text',
  tool: 'they are calls of tools or their results',
  thinking: 'they are thinking',
  program: 'they are instructions or notes of the program',
  agents: 'they are what other agents said among themselves',
  repeated: 'the export says them more than once',
  version: 'a later version of them is kept',
  takenBack: 'they were taken back',
  underWay: 'they were still being written',
  speaker: 'who speaks is told by no word for a person or an assistant',
  form: 'their text has no known form',
  missing: 'the export names them and does not hold them',
  orphan: 'they belong to no conversation of the export',
} as const;

export type NotKept = (typeof notKept)[keyof typeof notKept];

/** How many messages are left out, by reason. */
export type LeftOut = Readonly<Record<string, number>>;

export interface Tally {
  add(reason: NotKept, count?: number): void;
  /** As a field to spread: absent where everything is kept. */
  field(): { leftOut?: LeftOut };
}

/** Counts what is left out of one conversation or file. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    field: () => (counts.size === 0 ? {} : { leftOut: Object.fromEntries(counts) }),
  };
}
