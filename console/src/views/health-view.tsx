import { useEffect, useState } from 'preact/hooks';
import type { HealthReport } from '../../../src/app/health.js';
import type { LanguageModelReport } from '../../../src/app/open-language-models.js';
import type { MetricsSnapshot } from '../../../src/observability/metrics.js';
import type { ConversationList } from '../../../src/operations/conversations/list.js';
import type { ConversationOutput } from '../../../src/operations/present.js';
import type { SearchOutput } from '../../../src/operations/search/output.js';
import { get, post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { Sparkline } from '../components/sparkline.js';
import { number, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';

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
              <span class="about">{points.length === 0 ? '–' : `${(points.at(-1) ?? 0).toFixed(1)} ms`}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

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
