// The tools that the conformance suite calls in every version of the protocol.
import { setTimeout as pause } from 'node:timers/promises';
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { embedded, image, saying, silence, text, tool } from './content.mjs';

export const contentTools = [
  tool('test_simple_text', async () => saying(text('This is a simple text response for testing.'))),
  tool('test_image_content', async () => saying(image())),
  tool('test_audio_content', async () => saying({ type: 'audio', data: silence, mimeType: 'audio/wav' })),
  tool('test_embedded_resource', async () =>
    saying(
      embedded({
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      }),
    ),
  ),
  tool('test_multiple_content_types', async () =>
    saying(
      text('Multiple content types test:'),
      image(),
      embedded({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      }),
    ),
  ),
  tool('test_error_handling', async () => ({
    ...saying(text('This tool intentionally returns an error for testing')),
    isError: true,
  })),
];

export const streamingTools = [
  tool('test_tool_with_logging', async (_, { context }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.log('info', line, 'fixture');
      await pause(20);
    }
    return saying(text('Three lines were logged.'));
  }),
  tool('test_tool_with_progress', async (_, { context }) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await context.mcpReq.notify({ method: 'notifications/progress', params });
      await pause(20);
    }
    return saying(text('Done.'));
  }),
  tool('test_logging_tool', async (_, { context }) => {
    await context.mcpReq.log('info', 'only for those who asked', 'fixture');
    return saying(text('Done.'));
  }),
];

const words = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

/** Requests from the server to the client, which only sessions can carry. */
export const askingTools = [
  tool(
    'test_sampling',
    async ({ prompt }, { context }) => {
      const messages = [{ role: 'user', content: text(String(prompt)) }];
      const { content } = await ask(context, 'sampling/createMessage', { messages, maxTokens: 100 });
      return saying(text(`LLM response: ${content.type === 'text' ? content.text : content.type}`));
    },
    words('prompt'),
  ),
  tool(
    'test_elicitation',
    async ({ message }, { context }) => {
      const field = (description) => ({ type: 'string', description });
      const requestedSchema = {
        type: 'object',
        properties: { username: field("User's response"), email: field("User's email address") },
        required: ['username', 'email'],
      };
      const { action, content } = await ask(context, 'elicitation/create', {
        message: String(message),
        requestedSchema,
      });
      return saying(text(`User response: action=${action}, content=${JSON.stringify(content)}`));
    },
    words('message'),
  ),
  tool('test_elicitation_sep1034_defaults', async (_, request) =>
    elicited(request, {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  ),
  tool('test_elicitation_sep1330_enums', async (_, request) => {
    const plain = ['option1', 'option2', 'option3'];
    const titled = (...titles) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));
    return elicited(request, {
      untitledSingle: { type: 'string', enum: plain },
      titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
      titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
    });
  }),
];

/** On the stream of the call itself: the one for news may not be open yet. */
function ask(context, method, params) {
  return context.mcpReq.send({ method, params });
}

async function elicited({ context }, properties) {
  const requestedSchema = { type: 'object', properties };
  const { action, content } = await ask(context, 'elicitation/create', { message: 'Please fill in', requestedSchema });
  return saying(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`));
}

/** What the stateless era wants to see refused or kept apart, and a schema with every newer keyword. */
export const oddTools = [
  tool('test_missing_capability', async () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  tool('json_schema_2020_12_tool', async () => saying(text('ok')), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];
