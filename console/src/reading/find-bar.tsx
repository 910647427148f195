import { useEffect, useRef } from 'preact/hooks';
import { number, t } from '../strings/text.js';

interface FindBarProps {
  sought: string;
  at: number;
  count: number;
  onType: (sought: string) => void;
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

/** Looks for letters in the open conversation. Enter goes on, with Shift back; Escape closes it and nothing else. */
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
