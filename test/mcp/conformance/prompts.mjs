import { embedded, image, text } from './content.mjs';
import { inputPrompt } from './input-tools.mjs';

const user = (content) => ({ role: 'user', content });
const argument = (name) => ({ name, description: `Fixture argument ${name}`, required: true });

export const prompts = [
  {
    definition: { name: 'test_simple_prompt', description: 'One line' },
    get: async () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'Two arguments',
      arguments: [argument('arg1'), argument('arg2')],
    },
    get: async ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A resource inside',
      arguments: [argument('resourceUri')],
    },
    get: async ({ resourceUri: uri }) => ({
      messages: [
        user(embedded({ uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' })),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'A picture inside' },
    get: async () => ({ messages: [user(image()), user(text('Please analyze the image above.'))] }),
  },
  inputPrompt,
];
