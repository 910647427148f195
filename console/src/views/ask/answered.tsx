import type { ComponentChildren } from 'preact';
import type { AskOutput, Citation } from '../../../../src/operations/ask/shapes.js';
import { CopyButton } from '../../components/copy-button.js';
import { Source } from '../../components/source.js';
import type { Target } from '../../reading/target.js';
import { linkTo } from '../../router.js';
import type { Key } from '../../strings/en.js';
import { factName } from '../../strings/fact-name.js';
import { day, moment, t } from '../../strings/text.js';
import { leadOf } from './lead.js';

const bases = {
  direct_memory: 'basisMemory',
  fact_layer: 'basisFacts',
  mixed: 'basisMixed',
  conflict: 'basisConflict',
  not_found: 'basisNone',
} as const satisfies Record<AskOutput['answer_basis'], Key>;

const confidences = {
  high: 'confidenceHigh',
  medium: 'confidenceMedium',
  low: 'confidenceLow',
  none: 'confidenceNone',
} as const satisfies Record<AskOutput['confidence'], Key>;

const meanings = {
  high: 'sureHigh',
  medium: 'sureMedium',
  low: 'sureLow',
  none: 'sureNone',
} as const satisfies Record<AskOutput['confidence'], Key>;

interface AnsweredProps {
  question: string;
  answer: AskOutput;
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
  /** What comes between the answer and its quotes. */
  next: ComponentChildren;
}

export function Answered(props: AnsweredProps) {
  return props.answer.answer_basis === 'not_found' ? <NotInMemory {...props} /> : <Found {...props} />;
}

/** The short answer, how sure it is, and the quotes it is made from, each with its number. */
function Found({ question, answer, opened, hrefOf, next }: AnsweredProps) {
  const cited = citedOf(answer);
  const [first] = cited;
  // What a language model wrote has no quotes under it, and its own numbers in it.
  const isComposed = answer.composition?.by === 'model';
  const lead = isComposed ? answer.answer : (leadOf(answer) ?? first?.quote ?? answer.answer);
  const facts = cited.filter(({ isFact }) => isFact);
  const basis = isComposed ? [] : facts.length > 0 ? facts : cited.slice(0, 1);
  const before = answer.structured_evidence.facts.filter(({ status }) => status !== 'active');
  return (
    <>
      <article class="card answer" aria-live="polite">
        {answer.parts === undefined ? (
          <p class="plain lead">
            {lead}
            <Markers cited={basis} hrefOf={hrefOf} />
          </p>
        ) : (
          <Parts answer={answer} cited={cited} hrefOf={hrefOf} />
        )}
        {answer.parts === undefined ? (
          <p class="about">
            <span class={`state confidence-${answer.confidence}`}>{t(confidences[answer.confidence])}</span>{' '}
            {t(meanings[answer.confidence])} {t(bases[answer.answer_basis])}
          </p>
        ) : null}
        {answer.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
        <div class="answer-tools">
          <CopyButton
            label={t('copyAnswer')}
            text={() => asText({ question, lead: partsText(answer) ?? lead, cited })}
          />
          <a href={linkTo('search', { q: question })}>{t('searchInstead')}</a>
        </div>
      </article>
      {next}
      {before.length === 0 ? null : (
        <section>
          <h2>{t('history')}</h2>
          <ol class="history">
            {before.map((fact) => (
              <li key={fact.fact_id}>
                {factName(fact.predicate)}: <strong>{fact.object_normalized}</strong>
                <span class="about">
                  {day(fact.created_at)} – {fact.superseded_at === null ? '?' : day(fact.superseded_at)}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {cited.length === 0 ? null : (
        <>
          <h2>{t('citations')}</h2>
          <ol class="citations">
            {cited.map((each) => (
              <Quote key={each.number} cited={each} opened={opened} hrefOf={hrefOf} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface MarkersProps {
  cited: readonly Cited[];
  hrefOf: (target: Target) => string;
}

/** The numbers of the quotes that say it. */
function Markers({ cited, hrefOf }: MarkersProps) {
  return (
    <>
      {cited.map(({ number, target }) => (
        <a key={number} class="marker" href={hrefOf(target)} aria-label={t('citation', { n: number })}>
          [{number}]
        </a>
      ))}
    </>
  );
}

/** A question with several parts: each with its own answer and how sure that one is. */
function Parts({ answer: { parts = [], citations }, cited, hrefOf }: MarkersProps & { answer: AskOutput }) {
  return (
    <dl class="parts">
      {parts.map((part) => (
        <div key={part.question} data-part>
          <dt>{part.question}</dt>
          <dd>
            <p class="plain lead">
              {partLead(part, citations)}
              <Markers cited={quotedIn(part, cited)} hrefOf={hrefOf} />
            </p>
            <p class="about">
              <span class={`state confidence-${part.confidence}`}>{t(confidences[part.confidence])}</span>{' '}
              {t(meanings[part.confidence])} {t(bases[part.answer_basis])}
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const mostMarkers = 3;

/** The quotes belong to the whole answer; a part quotes some of them word for word, or states the value of a fact. */
function quotedIn({ answer, answer_basis }: Part, cited: readonly Cited[]): Cited[] {
  if (answer_basis === 'not_found') return [];
  const isSaid = (text: string | undefined): boolean => text !== undefined && text !== '' && answer.includes(text);
  const quoted = cited.filter(({ quote, value }) => isSaid(quote.slice(0, 60)) || isSaid(value));
  const facts = quoted.filter(({ isFact }) => isFact);
  return (facts.length > 0 ? facts : quoted).slice(0, mostMarkers);
}

type Part = NonNullable<AskOutput['parts']>[number];

function partLead({ answer, answer_basis }: Part, citations: AskOutput['citations']): string {
  if (answer_basis === 'not_found') return t('notInMemory');
  return leadOf({ answer, citations }) ?? answer;
}

function partsText({ parts, citations }: AskOutput): string | undefined {
  return parts?.map((part) => `${part.question}\n${partLead(part, citations)}`).join('\n\n');
}

/** No answer is an answer: it says so plainly, and shows what comes nearest. */
function NotInMemory({ question, answer, opened, hrefOf, next }: AnsweredProps) {
  const near = answer.results.flatMap((item) => ('conversation' in item && 'text' in item ? [item] : []));
  return (
    <>
      <article class="card answer not-found" aria-live="polite">
        <h2>{t('notInMemory')}</h2>
        <p>{t('noAnswer')}</p>
        {answer.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
        <div class="answer-tools">
          <a href={linkTo('search', { q: question })}>{t('searchInstead')}</a>
          <a href={linkTo('keep')}>{t('import')}</a>
        </div>
      </article>
      {next}
      {near.length === 0 ? null : (
        <>
          <h2>{t('closest')}</h2>
          <ol class="citations">
            {near.map((item, index) => {
              const { start, end } = item.excerpt;
              const quote = end > start ? item.text.slice(start, end) : item.text.slice(0, 300);
              const cited: Cited = {
                number: index + 1,
                quote,
                speaker: item.role,
                when: item.timestamp,
                title: item.conversation.title,
                source: item.conversation.source,
                target: { id: item.id, turn: item.message_index, mark: quote },
                isFact: false,
              };
              return <Quote key={`${item.id}:${item.chunk_index}`} cited={cited} opened={opened} hrefOf={hrefOf} />;
            })}
          </ol>
        </>
      )}
    </>
  );
}

interface Cited {
  number: number;
  quote: string;
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
function Quote({ cited: { number, quote, speaker, when, title, source, times, target }, opened, hrefOf }: QuoteProps) {
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
        <span class="plain quote">{quote}</span>
        {times === undefined ? null : <span class="about">{times}</span>}
        <span class="about said">{about}</span>
      </a>
    </li>
  );
}

function citedOf(answer: AskOutput): Cited[] {
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

function asText({ question, lead, cited }: { question: string; lead: string; cited: readonly Cited[] }): string {
  const quotes = cited.map(({ number, quote, speaker, when, title, source }) => {
    const said = [
      ...(speaker === undefined ? [] : [t(speaker === 'user' ? 'you' : 'assistant')]),
      ...(when === undefined ? [] : [day(when)]),
      ...(title === undefined ? [] : [title]),
      ...(source === undefined ? [] : [source]),
    ];
    return `[${number}] “${quote}” (${said.join(', ')})`;
  });
  return [question, '', lead, '', ...quotes].join('\n');
}
