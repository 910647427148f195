import { useEffect, useState } from 'preact/hooks';
import type { ClientList, ListedClient } from '../../../../src/app/client-connections.js';
import { get, post } from '../../api.js';
import { CopyButton } from '../../components/copy-button.js';
import { Failure, Waiting } from '../../components/notice.js';
import type { ViewProps } from '../../router.js';
import { token } from '../../session.js';
import { lately, moment, t } from '../../strings/text.js';
import { showDone, showFailed } from '../../undo-toast.js';
import { answerIn, useCall } from '../../use-call.js';
import { Tokens } from '../projects/tokens.js';
import { Copyable } from './copyable.js';
import { NewToken } from './new-token.js';
import { nextStep } from './next-steps.js';

const askEvery = 5_000;

/** Every client that can use this memory: what to put into its settings, and whether it is connected. */
export function ConnectView({ place: { params } }: ViewProps) {
  const called = useCall('clients', (signal) => get<ClientList>('/clients', { signal }));
  const list = answerIn(called);
  const [failure, setFailure] = useState<Error>();
  // A client that connects while this page is open shows up without a reload.
  useEffect(() => {
    const timer = setInterval(called.reload, askEvery);
    return () => clearInterval(timer);
  }, []);
  if (list === undefined) {
    return called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : <Waiting />;
  }
  return (
    <section class="page connect">
      <h1>{t('connect')}</h1>
      <p class="about">{t('connectAbout')}</p>
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {failure === undefined ? null : <Failure error={failure} />}
      <p class="address">
        <code>{list.url}</code> <CopyButton label={t('copyAddress')} text={() => list.url} />
      </p>
      <ul class="plain-list clients">
        {inOrder(list.clients).map((client) => (
          <ClientCard
            key={client.client}
            client={client}
            isOpen={params.get('client') === client.client}
            onChange={called.reload}
          />
        ))}
      </ul>
      {list.others.length === 0 ? null : (
        <>
          <h2>{t('otherClients')}</h2>
          <ul class="plain-list">
            {list.others.map(({ name, version, last_seen }) => (
              <li key={name}>
                <strong>{name}</strong> {version} <LastSeen time={last_seen} />
              </li>
            ))}
          </ul>
        </>
      )}
      {token() === undefined ? null : <NewToken />}
      <Tokens onFailure={setFailure} />
    </section>
  );
}

/** What is connected comes first, then what is on this machine. */
function inOrder(clients: readonly ListedClient[]): ListedClient[] {
  const rank = ({ connected, last_seen, installed }: ListedClient): number =>
    connected || last_seen !== undefined ? 0 : installed ? 1 : 2;
  return [...clients].sort((one, other) => rank(one) - rank(other));
}

function LastSeen({ time }: { time: string }) {
  return (
    <time class="about" dateTime={time} title={moment(time)}>
      {t('lastSeen', { when: lately(time) })}
    </time>
  );
}

interface ClientCardProps {
  client: ListedClient;
  isOpen: boolean;
  onChange: () => void;
}

function ClientCard({ client, isOpen, onChange }: ClientCardProps) {
  const { client: name, title, snippet, command, file, installed, connected, last_seen } = client;
  const [isBusy, setBusy] = useState(false);
  const change = async (verb: 'connect' | 'disconnect'): Promise<void> => {
    setBusy(true);
    const told = (done: typeof verb) => t(done === 'connect' ? 'clientConnected' : 'clientDisconnected', { title });
    const call = (done: typeof verb) => post(`/clients/${encodeURIComponent(name)}/${done}`, {});
    try {
      await call(verb);
      const back = verb === 'connect' ? 'disconnect' : 'connect';
      showDone(told(verb), () => call(back).then(onChange));
      onChange();
    } catch (error) {
      showFailed(error as Error);
    }
    setBusy(false);
  };
  const isInUse = connected === true || last_seen !== undefined;
  return (
    <li class="card client" data-client={name}>
      <div class="client-line">
        <h2>{title}</h2>
        {isInUse ? <span class="state ok">{t('connected')}</span> : null}
        {!isInUse && installed === true ? <span class="state">{t('installed')}</span> : null}
        {last_seen === undefined ? null : <LastSeen time={last_seen} />}
        {file === undefined ? null : (
          <button
            type="button"
            class={isInUse ? 'quiet' : installed === true ? 'primary' : ''}
            disabled={isBusy}
            aria-label={`${t(connected ? 'disconnectIt' : 'connectIt')}: ${title}`}
            onClick={() => change(connected ? 'disconnect' : 'connect')}
          >
            {t(connected ? 'disconnectIt' : 'connectIt')}
          </button>
        )}
      </div>
      {connected === true && last_seen === undefined ? <p class="about">{nextStep(client)}</p> : null}
      <details open={isOpen}>
        <summary aria-label={`${t('byHandSetup')}: ${title}`}>{t('byHandSetup')}</summary>
        {file === undefined ? null : (
          <p class="about">
            {t('settingsFile')} <code>{file}</code>
          </p>
        )}
        <Copyable label={`${t('copySnippet')}: ${title}`} text={snippet} />
        {command === undefined ? null : (
          <>
            <p class="about">{t('ownCommand')}</p>
            <Copyable label={`${t('copyCommand')}: ${title}`} text={command} />
          </>
        )}
        <p class="about">{nextStep(client)}</p>
      </details>
    </li>
  );
}
