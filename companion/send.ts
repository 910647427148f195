import { checkAddress } from './address.js';
import type { InsertBody } from './conversation.js';

export type Failure =
  | 'addressInvalid'
  | 'addressForeign'
  | 'notRunning'
  | 'notThreadkeep'
  | 'tokenMissing'
  | 'tokenWrong'
  | 'mayNotWrite'
  | 'originRefused'
  | 'historyDiffers'
  | 'forgotten'
  | 'tooLarge'
  | 'tooMany'
  | 'refused'
  | 'serviceFault';

export type Outcome =
  | { kind: 'saved'; messages: number; held: boolean; id: string }
  | { kind: 'appended'; messages: number; id: string }
  | { kind: 'unchanged'; id: string }
  | { kind: 'failed'; reason: Failure };

export interface Service {
  address: string;
  /** Empty where the service asks for none. */
  token: string;
}

/** Sends one conversation to the service. Never throws: whatever goes wrong is an outcome with a reason. */
export async function sendConversation(service: Service, conversation: InsertBody): Promise<Outcome> {
  const answer = await call(service, 'POST', '/memory/insert', conversation);
  if (answer.kind === 'failed') return answer;
  const { id, deduplicated, appended_messages: appended, memory_status: status } = answer.body;
  if (typeof id !== 'string') return { kind: 'failed', reason: 'notThreadkeep' };
  if (typeof appended === 'number' && appended > 0) return { kind: 'appended', messages: appended, id };
  if (deduplicated === true) return { kind: 'unchanged', id };
  return { kind: 'saved', messages: conversation.messages.length, held: status === 'pending_review', id };
}

/** Asks for a list that needs the right to write, so that a token without it is found before anything is sent. */
export async function testService(service: Service): Promise<{ kind: 'ok' } | { kind: 'failed'; reason: Failure }> {
  const answer = await call(service, 'GET', '/memory/imports');
  return answer.kind === 'failed' ? answer : { kind: 'ok' };
}

type Answer = { kind: 'answer'; body: Record<string, unknown> } | { kind: 'failed'; reason: Failure };

async function call({ address, token }: Service, method: string, path: string, body?: unknown): Promise<Answer> {
  const checked = checkAddress(address);
  if (checked.kind === 'refused') return { kind: 'failed', reason: checked.reason };
  const request: RequestInit = {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    // A redirect could lead a conversation to another machine.
    redirect: 'error',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  let response: Response;
  try {
    response = await fetch(`${checked.address}${path}`, request);
  } catch {
    // The browser does not say more than that there was no answer.
    return { kind: 'failed', reason: 'notRunning' };
  }
  const answer = await jsonOf(response);
  if (answer === undefined) return { kind: 'failed', reason: 'notThreadkeep' };
  if (response.ok) return { kind: 'answer', body: answer };
  return { kind: 'failed', reason: reasonOf(response.status, answer, token) };
}

async function jsonOf(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = await response.json();
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // Not JSON: another program listens there.
    return undefined;
  }
}

function reasonOf(status: number, answer: Record<string, unknown>, token: string): Failure {
  const code = answer.error_code;
  if (typeof code !== 'string') return 'notThreadkeep';
  if (status === 401) return token === '' ? 'tokenMissing' : 'tokenWrong';
  if (code === 'insufficient_scope') return 'mayNotWrite';
  if (status === 403) return 'originRefused';
  if (status === 409) return answer.reason === 'forgotten' ? 'forgotten' : 'historyDiffers';
  if (status === 413) return 'tooLarge';
  if (status === 429) return 'tooMany';
  return status >= 500 ? 'serviceFault' : 'refused';
}
