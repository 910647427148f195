import type { Config } from '../config/schema.js';
import { createLanguageModel, type EndpointKey } from '../language-model/chat.js';
import type { LanguageModel } from '../language-model/contract.js';
import { StartupError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { type Breaker, type CircuitKind, createBreaker } from '../resilience/breaker.js';

type Reported =
  | { configured: false }
  | { configured: true; model: string; host: string; circuit: CircuitKind; failures: number };

/** The configured models and their addresses, without keys. */
export interface LanguageModelReport {
  ask: Reported;
  facts: Reported;
}

export interface LanguageModels {
  ask?: LanguageModel;
  facts?: LanguageModel;
  report(): LanguageModelReport;
  /** Logs where texts will be sent. */
  announce(): void;
  close(): Promise<void>;
}

/** Opens the user's configured language models. Throws `StartupError` for settings that cannot work. */
export function openLanguageModels(config: Config, observer: Observer): LanguageModels {
  const settings = { 'ask.model': config.ask.model, 'facts.model': config.facts.model };
  if (config.facts.model.baseUrl !== undefined && !config.models.tagger) {
    throw new StartupError(
      'config_invalid',
      'facts.model gives the tagger a second opinion, but models.tagger is off.',
      {
        hint: 'Set models.tagger to true or remove facts.model.base_url.',
      },
    );
  }
  const ask = open('ask.model', settings['ask.model'], { config, observer });
  const facts = open('facts.model', settings['facts.model'], { config, observer });
  return {
    ...(ask === undefined ? {} : { ask: ask.model }),
    ...(facts === undefined ? {} : { facts: facts.model }),
    report: () => ({ ask: reportOf(ask), facts: reportOf(facts) }),
    announce() {
      for (const [reason, { baseUrl }] of Object.entries(settings)) {
        if (baseUrl === undefined) continue;
        observer.log('info', 'language_model_configured', { reason, url: new URL(baseUrl).origin });
      }
    },
    async close() {
      await ask?.model.close();
      await facts?.model.close();
    },
  };
}

interface Opened {
  model: LanguageModel;
  breaker: Breaker;
}

function open(
  key: EndpointKey,
  settings: Config['ask']['model'],
  { config, observer }: { config: Config; observer: Observer },
): Opened | undefined {
  const { baseUrl, model: name, apiKey, timeoutMs, maxTokens } = settings;
  if (baseUrl === undefined) return undefined;
  if (name === '') {
    throw new StartupError('config_invalid', `${key}.base_url is set but ${key}.model is not.`, {
      hint: `Set ${key}.model to a name the server knows, such as llama3.1.`,
    });
  }
  const breaker = createBreaker({
    failures: config.circuit.failures,
    pauseMs: config.circuit.pauseMs,
    onChange(kind) {
      const retry = kind === 'open' ? { retry_in_ms: config.circuit.pauseMs } : {};
      observer.log(kind === 'open' ? 'warn' : 'info', `circuit_${kind}`, { reason: key, ...retry });
    },
  });
  const model = createLanguageModel({ key, baseUrl, apiKey, model: name, timeoutMs, maxTokens, breaker });
  return { model, breaker };
}

function reportOf(opened: Opened | undefined): Reported {
  if (opened === undefined) return { configured: false };
  const { kind, failures } = opened.breaker.state();
  return { configured: true, ...opened.model.describe(), circuit: kind, failures };
}
