import { useEffect, useState } from 'preact/hooks';
import type { HealthReport, HealthSample } from '../../../src/app/health.js';
import type { LanguageModelReport } from '../../../src/app/open-models.js';
import type { MetricsSnapshot } from '../../../src/observability/metrics.js';
import type { ConversationList, Label } from '../../../src/operations/conversations/list.js';
import type { ConversationOutput } from '../../../src/operations/present.js';
import type { SearchOutput } from '../../../src/operations/search/shapes.js';
import { get, post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { Source } from '../components/source.js';
import { Sparkline } from '../components/sparkline.js';
import { linkTo } from '../router.js';
import { clock, day, moment, number, percent, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';
import { useLabels } from '../use-labels.js';

const secondsBetween = 5;

export function HealthView() {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((before) => before + 1), secondsBetween * 1_000);
    return () => clearInterval(timer);
  }, []);
  const called = useCall(`ready ${tick}`, (signal) => get<HealthReport>('/ready', { signal }));
  const report = answerIn(called);
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (report === undefined) return <Waiting />;
  const { health } = report;
  return (
    <section class="page health">
      <h1>
        {t('health')}{' '}
        <span class={`state ${report.status === 'ok' ? report.mode : 'unavailable'}`}>
          {report.status === 'ok' ? report.mode : report.status}
        </span>
      </h1>
      {health.reasons.map((reason) => (
        <p class="notice failure" key={reason}>
          {reason}
        </p>
      ))}
      <dl class="cards">
        <Card name={t('metadataStore')} value={report.metadata_provider} check={health.checks?.metadata} />
        <Card
          name={t('vectorStore')}
          value={`${health.vector_index.provider}, ${health.vector_index.distance}`}
          check={health.checks?.vectors}
        />
        <Card
          name={t('embedding')}
          value={`${health.embedding.model} (${health.embedding.dimension})`}
          check={health.checks?.embedding}
        />
        <Card name={t('tokenizer')} value={health.tokenizer.encoding ?? ''} check={health.checks?.tokenizer} />
        <Card name={t('backlog')} value={number(health.pending_chunks ?? 0)} />
        <Sizes />
        <LanguageModels />
      </dl>
      <Latencies tick={tick} />
      <History tick={tick} />
      <Stored />
      <RecallCheck />
    </section>
  );
}

function Card({ name, value, check }: { name: string; value: string; check?: string | undefined }) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>
        {value} {check === undefined ? null : <span class={`state ${check}`}>{check}</span>}
      </dd>
    </div>
  );
}

function Sizes() {
  const body = { limit: 1, memory_status: 'all' };
  const called = useCall('sizes', (signal) => post<ConversationList>('/memory/conversations/list', body, { signal }));
  return <Card name={t('conversations')} value={number(answerIn(called)?.total ?? 0)} />;
}

/** Whether texts are sent to a language model, and to which host. */
function LanguageModels() {
  const called = useCall('language models', (signal) =>
    get<{ runtime?: { language_models?: LanguageModelReport } }>('/observability', { signal }),
  );
  const models = answerIn(called)?.runtime?.language_models;
  if (models === undefined) return null;
  const hosts = Object.entries(models).flatMap(([use, model]) =>
    model.configured ? [`${use}.model: ${model.model} (${model.host})`] : [],
  );
  return <Card name={t('languageModel')} value={hosts.length === 0 ? t('languageModelNone') : hosts.join(', ')} />;
}

const watched = ['/memory/search', '/memory/insert', '/memory/ask'];

/** Mean milliseconds between two looks, for each of the calls that matter to a person. */
function Latencies({ tick }: { tick: number }) {
  const called = useCall(`metrics ${tick}`, (signal) =>
    // Only an operator sees the counters, because they cover all users.
    get<{ metrics?: MetricsSnapshot }>('/observability', { signal }),
  );
  const [seen, setSeen] = useState<Record<string, { count: number; sum: number }[]>>({});
  const histograms = called.kind === 'done' ? called.answer.metrics?.histograms : undefined;
  useEffect(() => {
    if (histograms === undefined) return;
    setSeen((before) =>
      Object.fromEntries(
        watched.map((route) => {
          const series = histograms.filter(
            ({ name, labels }) => name === 'memory_api_request_duration_ms' && labels.route === route,
          );
          const count = series.reduce((total, each) => total + each.count, 0);
          const sum = series.reduce((total, each) => total + each.sum, 0);
          return [route, [...(before[route] ?? []), { count, sum }].slice(-60)];
        }),
      ),
    );
  }, [histograms]);
  if (called.kind === 'done' && histograms === undefined) return null;
  return (
    <>
      <h2>{t('latency')}</h2>
      <ul class="latencies">
        {watched.map((route) => {
          const points = meansOf(seen[route] ?? []);
          return (
            <li key={route}>
              <code>{route}</code>
              <Sparkline values={points} label={`${t('latency')} ${route}`} />
              <span class="about">{points.length === 0 ? '–' : inMilliseconds(points.at(-1) ?? 0)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Tenths matter only to what is fast. */
function inMilliseconds(value: number): string {
  return `${number(value < 100 ? Math.round(value * 10) / 10 : Math.round(value))} ms`;
}

/** Only every minute has a new sample. */
const ticksBetween = 12;

/** What the service noted about itself every minute, for a day. Operators only, as the counters are. */
function History({ tick }: { tick: number }) {
  const called = useCall(`history ${Math.floor(tick / ticksBetween)}`, (signal) =>
    get<{ history?: HealthSample[] }>('/observability', { signal }),
  );
  const samples = answerIn(called)?.history;
  if (samples === undefined) return null;
  const troubled = samples.filter(({ mode, failed_requests }) => mode === 'degraded' || failed_requests > 0);
  const [first] = samples;
  return (
    <section class="health-history">
      <h2>{t('healthHistory')}</h2>
      {first === undefined ? (
        <p class="about">{t('historyEmpty')}</p>
      ) : (
        <>
          <p>
            {t('historyText', {
              n: samples.reduce((sum, { requests }) => sum + requests, 0),
              since: moment(first.at),
              failed: number(samples.reduce((sum, { failed_requests }) => sum + failed_requests, 0)),
            })}{' '}
            {troubled.length === 0 ? t('historyFine') : t('historyTroubled', { n: troubled.length })}
          </p>
          <ul class="latencies">
            {historyLines.map(([label, read]) => {
              const values = samples.map(read);
              return (
                <li key={label}>
                  <span class="what">{t(label)}</span>
                  <Sparkline values={values} label={t(label)} />
                  <span class="about">{number(Math.round(values.at(-1) ?? 0))}</span>
                </li>
              );
            })}
          </ul>
          <details class="as-table">
            <summary>{t('asTable')}</summary>
            <table>
              <thead>
                <tr>
                  <th>{t('historyWhen')}</th>
                  <th>{t('status')}</th>
                  {historyLines.map(([label]) => (
                    <th key={label}>{t(label)}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {samples
                  .slice(-mostRows)
                  .reverse()
                  .map((sample) => (
                    <tr key={sample.at}>
                      <th>{clock(sample.at)}</th>
                      <td>{sample.mode}</td>
                      {historyLines.map(([label, read]) => (
                        <td key={label}>{number(Math.round(read(sample)))}</td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}

const mostRows = 60;

const historyLines = [
  ['historyRequests', ({ requests }: HealthSample) => requests],
  ['historyFailed', ({ failed_requests }: HealthSample) => failed_requests],
  ['historyMean', ({ mean_ms }: HealthSample) => mean_ms ?? 0],
  ['backlog', ({ pending_chunks }: HealthSample) => pending_chunks ?? 0],
] as const;

/** How much each source has stored, and what the index knows beside it. */
function Stored() {
  const { labels, error, reload } = useLabels({ memory_status: 'all' });
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (labels === undefined) return <Waiting />;
  const of = (kind: string): Label[] => labels.filter((label) => label.kind === kind);
  const sources = of('source');
  const chunks = sources.reduce((sum, label) => sum + label.chunks, 0);
  const known = [
    t('countPassages', { n: chunks }),
    t('countTopics', { n: of('topic').length }),
    t('countTags', { n: of('tag').length }),
    t('countThreads', { n: of('thread').length }),
  ];
  return (
    <section class="stored">
      <h2>{t('storedBySource')}</h2>
      <div class="scroll-x">
        <table>
          <thead>
            <tr>
              <th>{t('source')}</th>
              <th>{t('conversations')}</th>
              <th>{t('weekMessages')}</th>
              <th>{t('passages')}</th>
              <th>{t('share')}</th>
              <th>{t('dates')}</th>
            </tr>
          </thead>
          <tbody>
            {sources.map((label) => (
              <tr key={label.name}>
                <th>
                  <a href={linkTo('search', { source: label.name })}>
                    <Source name={label.name} />
                  </a>
                </th>
                <td>{number(label.conversations)}</td>
                <td>{number(label.messages)}</td>
                <td>{number(label.chunks)}</td>
                <td>
                  <meter min={0} max={Math.max(1, chunks)} value={label.chunks} aria-label={t('share')} />{' '}
                  {percent(label.chunks / Math.max(1, chunks))}
                </td>
                <td>{`${day(label.first)} – ${day(label.last)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{t('indexKnows')}</h2>
      <p>{known.join(', ')}.</p>
      <p class="topics">
        {of('topic')
          .slice(0, mostTopics)
          .map(({ name, conversations }) => (
            <a key={name} class="chip" href={linkTo('search', { q: name })}>
              {name} {number(conversations)}
            </a>
          ))}
      </p>
    </section>
  );
}

const mostTopics = 30;

/** The first look has everything since the start behind it; after that, what came in between. */
function meansOf(looks: readonly { count: number; sum: number }[]): number[] {
  return looks.flatMap(({ count, sum }, index) => {
    const before = looks[index - 1] ?? { count: 0, sum: 0 };
    return count > before.count ? [(sum - before.sum) / (count - before.count)] : [];
  });
}

const checked = 10;

/** Does search find what is stored? Takes a turn of recent conversations and looks for it by its own words. */
function RecallCheck() {
  const [state, setState] = useState<{ found: number; of: number; running: boolean }>();
  const [failure, setFailure] = useState<Error>();
  const run = async (): Promise<void> => {
    setFailure(undefined);
    setState({ found: 0, of: 0, running: true });
    try {
      const { results } = await post<ConversationList>('/memory/conversations/list', { limit: checked });
      let found = 0;
      for (const [index, { id }] of results.entries()) {
        if (await isFound(id)) found += 1;
        setState({ found, of: index + 1, running: index + 1 < results.length });
      }
      if (results.length === 0) setState({ found: 0, of: 0, running: false });
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <>
      <h2>{t('recallCheck')}</h2>
      <p class="about">{t('recallCheckAbout', { n: checked })}</p>
      <button type="button" onClick={run} disabled={state?.running === true}>
        {t('run')}
      </button>
      {state === undefined ? null : <p role="status">{t('recallFound', { found: state.found, of: state.of })}</p>}
      {failure === undefined ? null : <Failure error={failure} />}
    </>
  );
}

async function isFound(id: string): Promise<boolean> {
  const { memory } = await post<{ memory: ConversationOutput }>('/memory/retrieve', { id });
  const query = memory.messages?.find(({ text }) => text.trim() !== '')?.text.slice(0, 300) ?? '';
  if (query === '') return true;
  const { results } = await post<SearchOutput>('/memory/search', { query, include_messages: false });
  return results.some((result) => result.id === id);
}
