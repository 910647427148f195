import type { ComponentChildren } from 'preact';
import type { AskOutput } from '../../../../src/operations/ask/shapes.js';
import { CopyButton } from '../../components/copy-button.js';
import type { Target } from '../../reading/target.js';
import { linkTo } from '../../router.js';
import type { Key } from '../../strings/en.js';
import { factName } from '../../strings/fact-name.js';
import { day, t } from '../../strings/text.js';
import { leadOf, unclearLead } from './lead.js';
import { type Cited, citedOf, nearestOf, Quote } from './quotes.js';
import { Why } from './why.js';

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
  const unclear = answer.parts === undefined ? unclearLead(lead) : undefined;
  const facts = cited.filter(({ isFact }) => isFact);
  // Where none of the quotes is an answer, none of them is more so than the others.
  const basis = isComposed || unclear !== undefined ? [] : facts.length > 0 ? facts : cited.slice(0, 1);
  const before = answer.structured_evidence.facts.filter(({ status }) => status !== 'active');
  const quotes =
    cited.length === 0 ? null : (
      <>
        <h2>{t(unclear === undefined ? 'citations' : 'closest')}</h2>
        <ol class="citations">
          {cited.map((each) => (
            <Quote key={each.number} cited={each} opened={opened} hrefOf={hrefOf} />
          ))}
        </ol>
      </>
    );
  return (
    <>
      <article class={`card answer${answer.confidence === 'low' ? ' unsure' : ''}`} aria-live="polite">
        {answer.parts === undefined ? (
          <>
            <p class="plain lead">
              {unclear ?? lead}
              <Markers cited={basis} hrefOf={hrefOf} />
            </p>
            <Confidence {...answer} isUnclear={unclear !== undefined} />
          </>
        ) : (
          <Parts answer={answer} cited={cited} hrefOf={hrefOf} />
        )}
        {answer.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
        <Why answer={answer} hrefOf={hrefOf} />
        <div class="answer-tools">
          <CopyButton
            label={t('copyAnswer')}
            text={() => asText({ question, lead: partsText(answer) ?? unclear ?? lead, cited })}
          />
          <a href={linkTo('search', { q: question })}>{t('searchInstead')}</a>
        </div>
      </article>
      {/* The quotes are the answer, as far as there is one. */}
      {unclear === undefined ? null : quotes}
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
      {unclear === undefined ? quotes : null}
    </>
  );
}

/** How sure the answer is, in plain words; an unsure one is a guess or none at all. */
function Confidence({ confidence, answer_basis, isUnclear }: Part & { isUnclear: boolean }) {
  const isGuess = confidence === 'low' && !isUnclear && answer_basis !== 'conflict';
  return (
    <p class="about">
      <span class={`state confidence-${confidence}`}>{t(confidences[confidence])}</span>{' '}
      {t(isGuess ? 'sureGuess' : meanings[confidence])} {isUnclear ? null : t(bases[answer_basis])}
    </p>
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
            <Confidence
              {...part}
              isUnclear={unclearLead(leadOf({ ...part, citations }) ?? part.answer) !== undefined}
            />
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

type Part = Pick<NonNullable<AskOutput['parts']>[number], 'answer' | 'answer_basis' | 'confidence'>;

function partLead({ answer, answer_basis }: Part, citations: AskOutput['citations']): string {
  if (answer_basis === 'not_found') return t('notInMemory');
  const lead = leadOf({ answer, citations }) ?? answer;
  return unclearLead(lead) ?? lead;
}

function partsText({ parts, citations }: AskOutput): string | undefined {
  return parts?.map((part) => `${part.question}\n${partLead(part, citations)}`).join('\n\n');
}

/** No answer is an answer: it says so plainly, and shows what comes nearest. */
function NotInMemory({ question, answer, opened, hrefOf, next }: AnsweredProps) {
  const near = nearestOf(answer.results);
  return (
    <>
      <article class="card answer not-found" aria-live="polite">
        <h2>{t('notInMemory')}</h2>
        <p>{t('noAnswer')}</p>
        {answer.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
        <Why answer={answer} hrefOf={hrefOf} />
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
            {near.map((each) => (
              <Quote key={each.number} cited={each} opened={opened} hrefOf={hrefOf} />
            ))}
          </ol>
        </>
      )}
    </>
  );
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
