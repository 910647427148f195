import { useMemo, useState } from 'preact/hooks';
import { placesOf } from './marks.js';
import type { Message } from './message.js';

/** A match: which message, and which of the matches in it. */
export interface Match {
  turn: number;
  nth: number;
}

const most = 10_000;

/** Finding inside a conversation, drawn or not: every message is looked through, and the match one is at moves on. */
export function useFind(messages: readonly Message[] | undefined) {
  const [open, setOpen] = useState(false);
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const matches = useMemo(() => (open ? matchesIn(messages ?? [], sought) : []), [open, messages, sought]);
  return {
    open,
    sought: open ? sought : '',
    at,
    matches,
    current: matches[at],
    show: (): void => setOpen(true),
    close: (): void => setOpen(false),
    type: (next: string): void => {
      setSought(next);
      setAt(0);
    },
    move: (step: number): void =>
      setAt((before) => (matches.length === 0 ? 0 : (before + step + matches.length) % matches.length)),
    moveTo: setAt,
  };
}

function matchesIn(messages: readonly Message[], sought: string): Match[] {
  if (sought.trim() === '') return [];
  const matches: Match[] = [];
  for (const [turn, { text }] of messages.entries()) {
    for (const nth of placesOf(text, sought).keys()) matches.push({ turn, nth });
    if (matches.length > most) break;
  }
  return matches;
}
