import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Config, usualContextTokens } from '../config/schema.js';
import { isLoopback } from '../http/admission.js';
import type { Conversation } from '../model/conversation.js';
import { StartupError } from '../model/errors.js';
import type { ServiceSettings } from '../operations/service.js';
import type { Weights } from '../retrieval/features.js';
import type { OpenTokenizerOptions } from '../tokenizer/open.js';

/** Maps the configuration to the settings of the operations. */
export function serviceSettings(config: Config, { weights, deep }: Ranker): ServiceSettings {
  const { chunking, retrieval } = config;
  return {
    limits: config.limits,
    insertPolicy: config.memory.insertPolicy,
    secretPolicy: config.memory.secretPolicy,
    allowTrustedAppends: config.storage.allowTrustedAppends,
    dryRun: config.storage.dryRun,
    chunking,
    retrieval: { ...retrieval, weights, deepWeight: deep },
    distance: config.storage.vector.distance,
    ask: {
      maxContextTokens: config.ask.maxContextTokens,
      budgetAlways: config.tokenizer.enabled || config.ask.maxContextTokens !== usualContextTokens,
    },
  };
}

/** Exact counting is opt-in; exact splitting is used whenever it is available. */
export function tokenizerOptions({ tokenizer, chunking }: Config): OpenTokenizerOptions {
  return { ...tokenizer, forChunks: chunking.strategy === 'token' };
}

const rankerFile = fileURLToPath(new URL('../../models/ranker.json', import.meta.url));

interface Ranker {
  weights: Weights;
  /** The weight of similarity by the reading model. */
  deep: number;
}

/** Loads the ranker's weights, which are stored with the models together with how they were trained. */
export async function loadRanker(): Promise<Ranker> {
  return JSON.parse(await readFile(rankerFile, 'utf8')) as Ranker;
}

const shippedSchema = fileURLToPath(new URL('../../schema/conversation.schema.json', import.meta.url));

export type SchemaCheck = (conversation: Conversation) => void;

/** The compiled check for the shipped schema, cached per process. */
let shippedCheck: Promise<SchemaCheck> | undefined;

/**
 * The check of conversations by their schema. A schema from `schema.file` is compiled at once, so that a broken file
 * fails at start-up and not at an insert. The shipped schema is known to be valid, so its validator is only loaded and
 * compiled when it is first needed: that takes longer than most searches.
 */
export async function loadSchema({ schema: { file } }: Config): Promise<() => Promise<SchemaCheck>> {
  if (file === undefined) return checkByShipped;
  const check = await compiled(file, { isTrusted: false });
  return async () => check;
}

function checkByShipped(): Promise<SchemaCheck> {
  shippedCheck ??= compiled(shippedSchema, { isTrusted: true }).catch((error: unknown) => {
    shippedCheck = undefined;
    throw error;
  });
  return shippedCheck;
}

async function compiled(file: string, options: { isTrusted: boolean }): Promise<SchemaCheck> {
  const { compileSchema } = await import('../ingestion/validate.js');
  return compileSchema(await readSchema(file), options);
}

async function readSchema(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new StartupError('schema_invalid', 'schema.file cannot be read as JSON.', {
      hint: `Check ${file}.`,
      cause,
    });
  }
}

/** Rejects OAuth settings under which signing in would be unsafe. */
export function refuseUnsafeOAuth({ api }: Config): void {
  if (api.auth !== 'oauth_resource_server') return;
  const refuse = (message: string): never => {
    throw new StartupError('config_invalid', message, { hint: 'See docs/auth.md.' });
  };
  const base = api.publicBaseUrl === undefined ? undefined : new URL(api.publicBaseUrl);
  if (base === undefined && !isLoopback(api.host)) {
    refuse('api.auth: oauth_resource_server needs api.public_base_url, the address that browsers see.');
  }
  if (base !== undefined && base.protocol !== 'https:' && !isLoopback(base.hostname)) {
    refuse('api.public_base_url must be https: browsers send sign-in cookies over nothing else.');
  }
  if (base !== undefined && (base.pathname !== '/' || base.search !== '')) {
    refuse('api.public_base_url must be an address without a path: the OAuth metadata is served at its root.');
  }
  if (!api.connect.enabled && api.oauth.authorizationServers.length === 0) {
    refuse('No issuer of tokens is configured: set api.connect.enabled or api.oauth.authorization_servers.');
  }
}
