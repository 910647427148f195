import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSchema, refuseUnsafeOAuth } from '../../src/app/settings.js';
import type { ConfigInput } from '../../src/config/schema.js';
import type { Conversation } from '../../src/model/conversation.js';
import { aFolder, configIn } from '../support/service.js';

async function refusal(api: ConfigInput['api']): Promise<string | undefined> {
  const config = await configIn(await aFolder(), { api: { auth: 'oauth_resource_server', ...api } });
  try {
    refuseUnsafeOAuth(config);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a server where people sign in', () => {
  it.each<[ConfigInput['api']]>([
    [{}],
    [{ public_base_url: 'http://localhost:8000' }],
    [{ public_base_url: 'https://memory.example.com' }],
    [{ host: '0.0.0.0', public_base_url: 'https://memory.example.com' }],
    [{ connect: { enabled: false }, oauth: { authorization_servers: ['https://login.example.com'] } }],
  ])('starts with %j', async (api) => {
    expect(await refusal(api)).toBeUndefined();
  });

  it.each<[ConfigInput['api'], string]>([
    [{ host: '0.0.0.0' }, 'needs api.public_base_url'],
    [{ public_base_url: 'http://memory.example.com' }, 'must be https'],
    [{ public_base_url: 'https://example.com/memory' }, 'without a path'],
    [{ connect: { enabled: false } }, 'No issuer of tokens is configured'],
  ])('does not start with %j', async (api, words) => {
    expect(await refusal(api)).toContain(words);
  });
});

describe('the conversation schema', () => {
  const nothing = {} as Conversation;

  it('that ships is checked', async () => {
    const schemaCheck = await loadSchema(await configIn(await aFolder()));
    const check = await schemaCheck();
    expect(() => check(nothing)).toThrow('The conversation does not fit the schema');
  });

  it('of a file is compiled at startup: an invalid one stops commands too', async () => {
    const folder = await aFolder();
    const file = join(folder, 'schema.json');
    await writeFile(file, '{"type": "object"}');
    const config = await configIn(folder, { schema: { file } });
    await expect(loadSchema(config)).rejects.toMatchObject({ code: 'schema_invalid' });
  });
});
