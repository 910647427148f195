// The tools that answer "I need more": input_required results, and the state that goes to the client and back, signed.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { saying, text, tool } from './content.mjs';

const key = randomBytes(32);
const signature = (state) => createHmac('sha256', key).update(state).digest('base64url');

const signed = (state) => `${state}.${signature(state)}`;

/** The state as it was given out, or the refusal of what somebody changed. */
function verified(text) {
  const [state = '', mark = ''] = String(text ?? '').split('.');
  const [given, wanted] = [Buffer.from(mark), Buffer.from(signature(state))];
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return state;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState was changed');
}

const question = (message, name, type = 'string') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } },
});
const sampling = (words, maxTokens) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens },
});
const roots = { method: 'roots/list', params: {} };

const needed = (inputRequests, state) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state === undefined ? {} : { requestState: signed(state) }),
});

const answers = ({ context }) => context.mcpReq.inputResponses ?? {};
const stateOf = ({ context }) => context.mcpReq.requestState();

/** What the person filled in under that name, if it is a text. */
function filledIn(response, name) {
  const value = response?.action === 'accept' ? response.content?.[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const askName = question('What is your name?', 'name');

export const inputTools = [
  tool('test_input_required_result_elicitation', async (_, request) => {
    const name = filledIn(answers(request).user_name, 'name');
    return name === undefined ? needed({ user_name: askName }) : saying(text(`Hello, ${name}!`));
  }),
  tool('test_streaming_elicitation', async (_, request) => {
    const name = filledIn(answers(request).user_name, 'name');
    return name === undefined ? needed({ user_name: askName }) : saying(text(`Hello, ${name}!`));
  }),
  tool('test_input_required_result_sampling', async (_, request) => {
    const answer = answers(request).capital_question;
    if (answer === undefined) return needed({ capital_question: sampling('What is the capital of France?', 100) });
    return saying(text(`The model says: ${answer.content?.text}`));
  }),
  tool('test_input_required_result_list_roots', async (_, request) => {
    const answer = answers(request).client_roots;
    if (answer === undefined) return needed({ client_roots: roots });
    return saying(text(`Roots: ${answer.roots?.map(({ uri }) => uri).join(', ')}`));
  }),
  tool('test_input_required_result_request_state', async (_, request) => {
    if (answers(request).confirm === undefined) {
      return needed({ confirm: question('Please confirm', 'ok', 'boolean') }, 'confirming');
    }
    return saying(text(verified(stateOf(request)) === 'confirming' ? 'state-ok' : 'another state'));
  }),
  tool('test_input_required_result_tampered_state', async (_, request) => {
    if (stateOf(request) === undefined) {
      return needed({ confirm: question('Please confirm', 'ok', 'boolean') }, 'untouched');
    }
    return saying(text(verified(stateOf(request))));
  }),
  tool('test_input_required_result_multiple_inputs', async (_, request) => {
    const wanted = { user_name: askName, greeting: sampling('Generate a greeting', 50), client_roots: roots };
    const given = answers(request);
    const missing = Object.entries(wanted).filter(([name]) => given[name] === undefined);
    if (missing.length > 0) return needed(Object.fromEntries(missing), 'three');
    verified(stateOf(request));
    return saying(text(`${filledIn(given.user_name, 'name')}, ${given.greeting.content?.text}`));
  }),
  tool('test_input_required_result_multi_round', async (_, request) => {
    const state = stateOf(request);
    if (state === undefined) return needed({ step1: question('Step 1: What is your name?', 'name') }, 'one');
    if (verified(state) === 'one') {
      return needed({ step2: question('Step 2: What is your favorite color?', 'color') }, 'two');
    }
    return saying(text(`Your colour is ${filledIn(answers(request).step2, 'color')}.`));
  }),
  tool('test_input_required_result_capabilities', async (_, { context }) => {
    const declared = context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
    const requests = {
      ...(declared.elicitation === undefined ? {} : { user_name: askName }),
      ...(declared.sampling === undefined ? {} : { greeting: sampling('Generate a greeting', 50) }),
    };
    return Object.keys(requests).length === 0 ? saying(text('Nothing to ask.')) : needed(requests);
  }),
];

export const inputPrompt = {
  definition: { name: 'test_input_required_result_prompt', description: 'Asks for its context first' },
  async get(_, request) {
    const context = filledIn(answers(request).user_context, 'context');
    if (context === undefined) {
      return needed({ user_context: question('What context should the prompt use?', 'context') });
    }
    return { messages: [{ role: 'user', content: text(`Use this context: ${context}`) }] };
  },
};
