import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { number, t } from '../strings/text.js';
import { placesOf } from './marks.js';
import type { Message } from './turns.js';

interface FindBarProps {
  sought: string;
  at: number;
  count: number;
  onType: (sought: string) => void;
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

/** Finds text in the open conversation. Enter goes to the next match, Shift+Enter to the previous; Escape closes only the bar. */
export function FindBar({ sought, at, count, onType, onMove, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <search class="find-bar">
      <input
        ref={field}
        aria-label={t('findHere')}
        placeholder={t('findHere')}
        value={sought}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
          else onMove(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="about" role="status">
        {sought === '' ? '' : count === 0 ? t('findNone') : t('findAt', { at: number(at + 1), of: number(count) })}
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={t('findBefore')}
        disabled={count === 0}
        onClick={() => onMove(-1)}
      >
        ↑
      </button>
      <button type="button" class="quiet" aria-label={t('findNext')} disabled={count === 0} onClick={() => onMove(1)}>
        ↓
      </button>
      <button type="button" class="quiet" aria-label={t('findClose')} onClick={onClose}>
        ×
      </button>
    </search>
  );
}

/** A match: which message, and which of the matches in it. */
export interface Match {
  turn: number;
  nth: number;
}

const most = 10_000;

/** Search inside a conversation, including messages that are not rendered, with a current match. */
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
