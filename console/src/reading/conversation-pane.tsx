import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConversationOutput } from '../../../src/operations/present.js';
import { post } from '../api.js';
import { patternOf } from '../components/highlight.js';
import { Failure, Waiting } from '../components/notice.js';
import { Source } from '../components/source.js';
import { lately, moment, t } from '../strings/text.js';
import { useCall } from '../use-call.js';
import { dialogIsOpen } from '../use-keys.js';
import { FindBar, useFind } from './find-bar.js';
import { clearMarks, densest, quoteRange, rangesOf, setMarks, wordRanges } from './marks.js';
import { loadMarkdown } from './message-text.js';
import { Minimap } from './minimap.js';
import { PaneActions } from './pane-actions.js';
import { Related, Thread } from './related.js';
import { Tags } from './tags.js';
import type { Target } from './target.js';
import { Turns } from './turns.js';

interface PaneProps {
  target: Target;
  /** The words that were looked for. */
  words: readonly string[];
  projectId: string | undefined;
  hrefOf: (target: Target) => string;
  closeHref: string;
}

/** An open conversation: scrolled to the highlighted passage, with its actions. */
export function ConversationPane({ target, words, projectId, hrefOf, closeHref }: PaneProps) {
  const project = projectId === undefined ? {} : { project_id: projectId };
  const called = useCall(`${target.id} ${projectId}`, async (signal) => {
    const body = { id: target.id, memory_status: 'all', ...project };
    const [{ memory }] = await Promise.all([
      post<{ memory: ConversationOutput }>('/memory/retrieve', body, { signal }),
      loadMarkdown(),
    ]);
    return memory;
  });
  const [changed, setChanged] = useState<ConversationOutput>();
  // Ignores the previous response while the next one loads, so that nothing is highlighted in the wrong conversation.
  const stored = called.kind === 'done' ? called.answer : undefined;
  const memory = stored === undefined || changed?.id !== stored.id ? stored : { ...stored, ...changed };
  const messages = stored?.messages;
  const [raw, setRaw] = useState(false);
  const find = useFind(messages);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), [target.id]);
  useWayBack(box, target);
  useEffect(() => {
    if (memory !== undefined) document.title = `${memory.title ?? t('untitled')} · Threadkeep`;
  }, [memory?.title, target]);
  const mark = useMarks({ box, target, words, find, drawn: `${memory?.id} ${raw}` });
  useFindKeys(find.show);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a person reads it with the keyboard.
    <aside class="pane" ref={box} tabIndex={0} aria-label={t('openConversation')}>
      <div class="pane-head">
        <h2 title={memory?.title}>{memory?.title ?? t('untitled')}</h2>
        <a class="close" href={closeHref} aria-label={t('close')}>
          ×
        </a>
        <div class="pane-tools">
          <button type="button" class="quiet" aria-expanded={find.open} onClick={find.open ? find.close : find.show}>
            {t('find')}
          </button>
          <button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {t('rawText')}
          </button>
          <CopyLink key={`${target.id} ${target.turn}`} />
          {memory === undefined ? null : (
            <PaneActions memory={memory} project={project} closeHref={closeHref} onChange={setChanged} />
          )}
        </div>
        {find.open ? (
          <FindBar
            sought={find.sought}
            at={find.at}
            count={find.matches.length}
            onType={find.type}
            onMove={find.move}
            onClose={() => {
              find.close();
              box.current?.focus({ preventScroll: true });
            }}
          />
        ) : null}
      </div>
      {find.matches.length > 0 && messages !== undefined ? (
        <Minimap matches={find.matches} at={find.at} of={messages.length} onChoose={find.moveTo} />
      ) : null}
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {called.kind === 'waiting' ? <Waiting /> : null}
      {memory === undefined ? null : (
        <div class="pane-about">
          <Source name={memory.source} />
          <time class="about" dateTime={memory.timestamp} title={moment(memory.timestamp)}>
            {lately(memory.timestamp)}
          </time>
          <span class="about">{t('messages', { n: messages?.length ?? 0 })}</span>
          <Tags memory={memory} project={project} onChange={setChanged} />
        </div>
      )}
      {messages === undefined ? null : (
        <Turns
          key={memory?.id}
          messages={messages}
          raw={raw}
          needed={find.current?.turn ?? target.turn}
          matched={target.turn}
          onDraw={mark}
        />
      )}
      {memory === undefined ? null : <Thread memory={memory} project={project} hrefOf={hrefOf} />}
      {memory === undefined ? null : <Related key={memory.id} memory={memory} project={project} hrefOf={hrefOf} />}
    </aside>
  );
}

const openedLink = '.opened[data-result], .opened [data-result], .opened[data-citation]';

/** However the pane is closed, also with the browser's Back: the focus returns to what opened it. */
function useWayBack(box: { current: HTMLElement | null }, target: Target): void {
  const origin = useRef<HTMLElement | null>(null);
  useEffect(() => {
    origin.current = document.querySelector<HTMLElement>(openedLink);
  }, [target.id, target.turn]);
  useLayoutEffect(() => {
    // A ref is emptied before the last cleanup.
    const pane = box.current;
    return () => {
      const now = document.activeElement;
      if (now === document.body || pane?.contains(now)) origin.current?.focus();
    };
  }, []);
}

interface MarksProps {
  box: { current: HTMLElement | null };
  target: Target;
  words: readonly string[];
  find: ReturnType<typeof useFind>;
  /** Changes when different text is rendered. */
  drawn: string;
}

/**
 * Marks what was looked for and scrolls to it once. What is drawn later (a block, colours of code) is marked when it
 * comes. Returns what to call after a drawing.
 */
function useMarks({ box, target, words, find, drawn }: MarksProps): () => void {
  const wanted = JSON.stringify([target, drawn.split(' ')[0], find.sought, find.at]);
  const scrolled = useRef<string>();
  const draw = (): void => {
    const pane = box.current;
    if (pane === null) return;
    const place = find.open && find.sought !== '' ? markMatches(pane, find) : markTarget(pane, target, words);
    if (place === undefined || scrolled.current === wanted) return;
    scrolled.current = wanted;
    scrollTo(pane, place);
  };
  const latest = useRef(draw);
  latest.current = draw;
  useLayoutEffect(() => {
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => latest.current());
    };
    const observer = new MutationObserver(later);
    if (box.current !== null) observer.observe(box.current, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      clearMarks();
    };
  }, []);
  return draw;
}

function markMatches(pane: HTMLElement, { sought, current }: ReturnType<typeof useFind>): Range | Element | undefined {
  const here = current === undefined ? null : textOf(pane, current.turn);
  const ranges = [...pane.querySelectorAll('.turn .text')].flatMap((text) => rangesOf(text, sought));
  setMarks('match', ranges);
  setMarks('passage', []);
  const own = here === null ? [] : rangesOf(here, sought);
  // Signs of Markdown are not drawn: a match in an address behind a link has no place of its own.
  const range = own[Math.min(current?.nth ?? 0, own.length - 1)];
  setMarks('current', range === undefined ? [] : [range]);
  return range ?? here ?? undefined;
}

function markTarget(pane: HTMLElement, { turn, mark }: Target, words: readonly string[]): Range | Element | undefined {
  const text = turn === undefined ? null : textOf(pane, turn);
  const passage = text === null || mark === undefined ? undefined : quoteRange(text, mark);
  const pattern = patternOf(words);
  const found = text === null || pattern === undefined ? [] : wordRanges(text, pattern);
  // Of a passage with words that were looked for, the words are marked; otherwise all of it.
  const inside = passage === undefined ? [] : found.filter((each) => isInside(each, passage));
  setMarks('passage', passage === undefined || inside.length > 0 ? [] : [passage]);
  setMarks('match', found);
  setMarks('current', []);
  return densest(inside) ?? passage ?? densest(found) ?? text?.closest('.turn') ?? undefined;
}

function isInside(range: Range, passage: Range): boolean {
  return (
    range.compareBoundaryPoints(Range.START_TO_START, passage) >= 0 &&
    range.compareBoundaryPoints(Range.END_TO_END, passage) <= 0
  );
}

function textOf(pane: HTMLElement, turn: number): Element | null {
  return pane.querySelector(`[data-turn="${turn}"] .text`);
}

/** The pane scrolls, not the page: `scrollIntoView` would move both. On a phone the page is what scrolls. */
function scrollTo(pane: HTMLElement, place: Range | Element): void {
  const { top } = place.getBoundingClientRect();
  if (getComputedStyle(pane).overflowY === 'visible') scrollBy(0, top - innerHeight / 3);
  else pane.scrollTop += top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
}

/** The browser's own search sees only rendered messages; pressing the shortcut twice opens it anyway. */
function useFindKeys(show: () => void): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || dialogIsOpen())
        return;
      if (document.activeElement?.closest('.find-bar')) return;
      event.preventDefault();
      latest.current();
      document.querySelector<HTMLInputElement>('.find-bar input')?.select();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** The clipboard needs a secure context, which plain HTTP from another machine is not: there the link is shown instead. */
function CopyLink() {
  const [outcome, setOutcome] = useState<'copied' | 'shown'>();
  const copy = (): void => {
    // The types know only pages that are trusted.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) setOutcome('shown');
    else
      clipboard.writeText(location.href).then(
        () => setOutcome('copied'),
        () => setOutcome('shown'),
      );
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {t(outcome === 'copied' ? 'copied' : 'copyLink')}
      </button>
      {outcome === 'shown' ? <Address /> : null}
    </>
  );
}

function Address() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return <input ref={field} class="address" aria-label={t('linkByHand')} readOnly value={location.href} />;
}
