import { CopyButton } from '../components/copy-button.js';
import { clock, day, lately, moment, t } from '../strings/text.js';
import type { Message } from './message.js';
import { MessageText } from './message-text.js';

interface TurnProps {
  turn: number;
  message: Message;
  /** When the message before it was said. */
  before: string | undefined;
  raw: boolean;
  matched: boolean;
}

/** One message: who said it, when it was here, and what. A new day is announced. */
export function Turn({ turn, message: { role, text, timestamp }, before, raw, matched }: TurnProps) {
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
