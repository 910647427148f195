import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConversationOutput } from '../../../src/operations/present.js';
import { CopyButton } from '../components/copy-button.js';
import { clock, day, lately, moment, t } from '../strings/text.js';
import { MessageText } from './message-text.js';

interface TurnsProps {
  messages: readonly Message[];
  raw: boolean;
  /** The message that must be rendered, whatever the scroll position. */
  needed: number | undefined;
  matched: number | undefined;
  /** After messages came or went. */
  onDraw: () => void;
}

const perBlock = 8;
/** So few are drawn at once. */
const fewBlocks = 4;
const nearby = '1500px 0px';

/**
 * The messages in blocks, of which only those near the window are drawn; the others keep their last height, or one
 * estimated from their length. The browser keeps what is read in its place when a block above turns out higher.
 */
export function Turns({ messages, raw, needed, matched, onDraw }: TurnsProps) {
  const box = useRef<HTMLDivElement>(null);
  const blocks = useMemo(() => {
    const count = Math.ceil(messages.length / perBlock);
    return Array.from({ length: count }, (_, block) => messages.slice(block * perBlock, (block + 1) * perBlock));
  }, [messages]);
  const few = blocks.length <= fewBlocks;
  const neededBlock = needed === undefined ? undefined : Math.floor(needed / perBlock);
  const [near, setNear] = useState<ReadonlySet<number>>(() => around(neededBlock ?? 0));
  const heights = useRef(new Map<number, number>());
  useLayoutEffect(() => {
    if (few || box.current === null) return;
    const pane = box.current.closest('.pane');
    const scrolls = pane !== null && getComputedStyle(pane).overflowY !== 'visible';
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const block = Number((target as HTMLElement).dataset.block);
            if (isIntersecting) after.add(block);
            else if (after.delete(block)) heights.current.set(block, boundingClientRect.height);
          }
          return after;
        }),
      { root: scrolls ? pane : null, rootMargin: nearby },
    );
    for (const block of box.current.children) observer.observe(block);
    return () => observer.disconnect();
  }, [few, blocks]);
  useLayoutEffect(onDraw);
  return (
    <div class="turns" ref={box}>
      {blocks.map((block, at) => {
        const drawn = few || near.has(at) || at === neededBlock;
        const height = heights.current.get(at) ?? expectedHeight(block);
        return (
          <div key={at} data-block={at} style={drawn ? { height: '' } : { height: `${height}px` }}>
            {drawn
              ? block.map((message, place) => {
                  const turn = at * perBlock + place;
                  return (
                    <Turn
                      key={turn}
                      turn={turn}
                      message={message}
                      before={messages[turn - 1]?.timestamp}
                      raw={raw}
                      matched={turn === matched}
                    />
                  );
                })
              : null}
          </div>
        );
      })}
    </div>
  );
}

function around(block: number): Set<number> {
  return new Set([block - 1, block, block + 1]);
}

function expectedHeight(block: readonly Message[]): number {
  return block.reduce((sum, { text }) => sum + 60 + 24 * Math.ceil(text.length / 75), 0);
}

interface TurnProps {
  turn: number;
  message: Message;
  /** When the message before it was said. */
  before: string | undefined;
  raw: boolean;
  matched: boolean;
}

/** One message: who said it, when it was here, and what. A new day is announced. */
function Turn({ turn, message: { role, text, timestamp }, before, raw, matched }: TurnProps) {
  const newDay = timestamp !== undefined && (before === undefined || day(before) !== day(timestamp));
  return (
    <>
      {newDay ? <p class="day-line">{/\d/.test(lately(timestamp)) ? day(timestamp) : lately(timestamp)}</p> : null}
      <article class={`turn ${role}${matched ? ' matched' : ''}`} data-turn={turn}>
        <div class="turn-head">
          <h3>{t(role === 'user' ? 'you' : 'assistant')}</h3>
          {timestamp === undefined ? null : (
            <time dateTime={timestamp} title={moment(timestamp)}>
              {clock(timestamp)}
            </time>
          )}
          <CopyButton label={t('copyMessage')} short={t('copy')} text={() => text} />
        </div>
        <MessageText text={text} raw={raw} />
      </article>
    </>
  );
}

export type Message = NonNullable<ConversationOutput['messages']>[number];
