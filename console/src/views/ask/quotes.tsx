import type { ComponentChildren } from 'preact';
import type { AskOutput, Citation } from '../../../../src/operations/ask/shapes.js';
import { Source } from '../../components/source.js';
import type { Target } from '../../reading/target.js';
import { day, moment, t } from '../../strings/text.js';
import { readable } from '../search/readable.js';
import { cut } from './cut.js';

/** Words that an answer is made from, and where they were said. */
export interface Cited {
  number: number;
  quote: string;
  /** The quote as it is shown, where that differs. */
  shown?: string;
  speaker?: 'user' | 'assistant' | undefined;
  when?: string | undefined;
  title?: string | undefined;
  source?: string | undefined;
  /** What the times in it mean. */
  times?: string | undefined;
  target: Target;
  isFact: boolean;
  /** Of a fact: what it says. */
  value?: string;
}

interface QuoteProps {
  cited: Cited;
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
}

/** Words as they were said, with who said them and when; they open where they stand. */
export function Quote({
  cited: { number, quote, shown, speaker, when, title, source, times, target },
  opened,
  hrefOf,
}: QuoteProps) {
  const isOpen = opened?.id === target.id && opened.turn === target.turn;
  const about: ComponentChildren[] = [
    ...(speaker === undefined ? [] : [<strong key="speaker">{t(speaker === 'user' ? 'you' : 'assistant')}</strong>]),
    ...(when === undefined
      ? []
      : [
          <time key="when" dateTime={when} title={moment(when)}>
            {day(when)}
          </time>,
        ]),
    ...(source === undefined ? [] : [<Source key="source" name={source} />]),
    ...(title === undefined ? [] : [<span key="title">{title}</span>]),
  ];
  return (
    <li>
      <a class={isOpen ? 'card opened' : 'card'} href={hrefOf(target)} data-citation aria-current={isOpen || undefined}>
        <span class="number">{number}</span>
        <span class="plain quote">{readable({ text: shown ?? quote, highlights: [] }).text}</span>
        {times === undefined ? null : <span class="about">{times}</span>}
        <span class="about said">{about}</span>
      </a>
    </li>
  );
}

export function citedOf(answer: AskOutput): Cited[] {
  return answer.citations
    .filter((citation) => citation.type === 'chunk' || citation.quote !== '')
    .map((citation) => ({
      // As an answer of a language model counts them.
      number: answer.citations.indexOf(citation) + 1,
      ...(citation.type === 'chunk' ? chunkOf(citation) : factOf(citation, answer)),
    }));
}

function chunkOf(citation: Extract<Citation, { type: 'chunk' }>): Omit<Cited, 'number'> {
  const { id, message_index, text, role, timestamp, title, source, times } = citation;
  return {
    quote: text,
    speaker: role,
    when: timestamp,
    title,
    source,
    times: times?.map(({ phrase, display }) => `${phrase} = ${display}`).join(', '),
    target: { id, turn: message_index, mark: text },
    isFact: false,
  };
}

function factOf(citation: Extract<Citation, { type: 'fact' }>, answer: AskOutput): Omit<Cited, 'number'> {
  const { id, quote, stated_at } = citation;
  const from = sourceOf(citation, answer);
  const conversation = answer.provenance.conversations.find((each) => each.id === id);
  return {
    quote,
    speaker: from?.role,
    when: stated_at ?? from?.stated_at,
    title: conversation?.title,
    source: conversation?.source ?? from?.source,
    target: { id, mark: quote, ...(from === undefined ? {} : { turn: from.message_index }) },
    isFact: true,
    value: citation.text,
  };
}

/** A fact is stated in several places; the one that is cited is in the conversation that the citation names. */
function sourceOf({ id, fact_id }: Extract<Citation, { type: 'fact' }>, { structured_evidence }: AskOutput) {
  const fact = structured_evidence.facts.find((each) => each.fact_id === fact_id);
  return fact?.sources.findLast(({ conversation_id }) => conversation_id === id);
}

/** The nearest messages where nothing answers, each cut between words. */
export function nearestOf(results: AskOutput['results']): Cited[] {
  const near = results.flatMap((item) => ('conversation' in item && 'text' in item ? [item] : []));
  return near.map((item, index) => {
    const { start, end } = item.excerpt.end > item.excerpt.start ? item.excerpt : { start: 0, end: 300 };
    const quote = item.text.slice(start, end);
    return {
      number: index + 1,
      quote,
      shown: cut(item.text, start, end),
      speaker: item.role,
      when: item.timestamp,
      title: item.conversation.title,
      source: item.conversation.source,
      target: { id: item.id, turn: item.message_index, mark: quote },
      isFact: false,
    };
  });
}
