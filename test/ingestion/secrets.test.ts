import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../src/ingestion/secrets.js';
import fc from '../support/properties.js';

/** Put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const secrets = [
  ['api_key', made('sk-', letters.slice(0, 40))],
  ['api_key', made('sk-ant-', letters.slice(0, 40))],
  ['api_key', made('AKIA', 'ABCDEFGHIJKLMNOP')],
  ['api_key', made('AIza', letters.slice(0, 35))],
  ['api_key', made('sk_live_', letters.slice(0, 24))],
  ['token', made('ghp_', letters.slice(0, 36))],
  ['token', made('github_pat_', letters.slice(0, 40))],
  ['token', made('glpat-', letters.slice(0, 20))],
  ['token', made('xoxb-', '123456789012-', letters.slice(0, 24))],
  ['token', made('tk_', letters.slice(0, 43))],
  ['token', made('eyJ', letters.slice(0, 20), '.eyJ', letters.slice(0, 30), '.', letters.slice(0, 20))],
  ['private_key', made('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----')],
  ['card_number', '4111 1111 1111 1111'],
  ['card_number', '5500-0000-0000-0004'],
  ['card_number', '378282246310005'],
  ['card_number', '2221 0000 0000 0009'],
  ['card_number', '4111\u00a01111\u00a01111\u00a01111'],
  ['card_number', '4111.1111.1111.1111'],
] as const;

const hex = '0123456789abcdef0123456789abcdef01234567';
const base64 = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEK9';

/** What stands in the place of `…` is the secret. */
const assignments = [
  ['DB_PASSWORD=…', 'hunter22!x'],
  ['OPENAI_API_KEY=…', 'abcd1234efgh5678'],
  ['POSTGRES_PASSWORD: …', 's3cretpw99'],
  ['MYSQL_ROOT_PASSWORD=…', 'Tr0ub4dor&3'],
  ['PGPASSWORD=…', 's3cretpw99'],
  ['SMTP_PASS=…', 's3cretpw99'],
  ['AWS_SECRET_ACCESS_KEY=…', base64],
  ['aws_secret_access_key = …', base64],
  ['secretAccessKey: "…"', base64],
  ['export GITHUB_TOKEN=…', hex],
  ['"userPassword": "…"', 's3cret;p,w99'],
  ['{\\"userPassword\\":\\"…\\",\\"age\\":9}', 's3cretpw99'],
  ["'db-password' => '…'", 's3cretpw99'],
  ['**Password:** `…`', 's3cretpw99'],
  ['<password>…</password>', 's3cretpw99'],
  ['X-Api-Key: …', hex],
  ['token: …', hex],
  ['secret=…', 's3cretpw99'],
  ['PASSWORD=…', '$ecret123!'],
  ['PASSWORD=…', 'x7Kp(9!mQ'],
  ['password="…"', 'some.words.in(1)'],
  ['AWS_SECRET_ACCESS_KEY=…', `/${base64.slice(1)}`],
  ['https://example.org/?token=…&page=2', 'abcd1234efgh'],
  ['password: https://example.org?token=…', 'abcd1234efgh'],
  ['Password:\n…', 's3cretpw99'],
  ['https://example.org/?token=…&page=2', hex.repeat(30)],
  ['AccountName=x;AccountKey=…;EndpointSuffix=core', `${base64}==`],
] as const;

describe('findSecrets', () => {
  it.each(secrets)('finds a %s', (kind, secret) => {
    expect(findSecrets(`Here it is: ${secret} and that was it.`)).toEqual({
      text: `Here it is: [redacted:${kind}] and that was it.`,
      kinds: [kind],
      count: 1,
    });
  });

  it('takes out the password of an address and leaves the address', () => {
    expect(findSecrets('postgres://anna:hunter2@db.example.org/memory').text).toBe(
      'postgres://anna:[redacted:password]@db.example.org/memory',
    );
  });

  it('takes out what is assigned to a word for a secret', () => {
    expect(
      findSecrets('password: hunter2hunter2\nAPI_KEY="abc123def456"\nAuthorization: Bearer abcdefghij0123456789').text,
    ).toBe('password: [redacted:password]\nAPI_KEY="[redacted:password]"\nAuthorization: Bearer [redacted:token]');
  });

  it.each(assignments)('takes out the value of %s', (line, secret) => {
    expect(findSecrets(line.replace('…', () => secret))).toEqual({
      text: line.replace('…', '[redacted:password]'),
      kinds: ['password'],
      count: 1,
    });
  });

  it.each([
    ['postgres://anna:p@ss@db.example.org/x', 'postgres://anna:[redacted:password]@db.example.org/x'],
    ['postgres://anna:p/ss1@db.example.org/x', 'postgres://anna:[redacted:password]@db.example.org/x'],
    ['git+https://u:p1@host.org/x.git@v1.2', 'git+https://u:[redacted:password]@host.org/x.git@v1.2'],
    [
      '{"a":"redis://u:p1@h/0","mail":"anna@example.org"}',
      '{"a":"redis://u:[redacted:password]@h/0","mail":"anna@example.org"}',
    ],
    ['Authorization: Basic YW5uYTpodW50ZXIy', 'Authorization: Basic [redacted:password]'],
    ['Authorization: Basic abcd1234efgh5678', 'Authorization: Basic [redacted:password]'],
    ['-H "basic YW5uYTpodW50ZXIy"', '-H "basic [redacted:password]"'],
    [`Authorization: token ${hex}`, 'Authorization: token [redacted:token]'],
    ['5000 1111 2222 3333 4111 1111 1111 1111', '5000 1111 2222 3333 [redacted:card_number]'],
    ['4111 1111 1111 1111 12/27 123', '[redacted:card_number] 12/27 123'],
  ])('takes the secret out of %s', (text, redacted) => {
    expect(findSecrets(text).text).toBe(redacted);
  });

  it.each([
    'Call me at +49 170 1234567 on 2026-11-15 at 10:30.',
    'The order 1234 5678 9012 3456 was shipped.',
    'id 550e8400-e29b-41d4-a716-446655440000',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'My password is long and I forgot it. Password: something',
    'https://example.org:8080/path?x=1',
    'task-1 risk-free sk-short',
    '4111 1111 1111 1112',
    '2026 1116 0403 1205 and 2220 9999 9999 9992',
    'Pi times a thousand: 3141.5926535897932',
    'max_tokens: 4096 and tokens=12345678',
    'The secret: well-known-by-all. Token: end-of-text',
    'brokensecret=abcd1234efgh',
    'Use basic authentication, not Basic Authorization.',
    'http://localhost:4873/@scope/package and https://medium.com/@anna',
    'https://a-long-name-of-a-machine:8080/x',
    'My file starts with -----BEGIN PRIVATE KEY----- and I wonder. My flight to Oslo is on Friday.',
    'It begins with -----BEGIN PRIVATE KEY----- and it ends with -----END PRIVATE KEY-----, does it not?',
    'Use bearer authentication/authorization, or Bearer Authentication/Authorization.',
    'Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE',
    'a.sk-estimator-doc-link-fitted-sk { color: red }',
    'pwd: /home/user/projects and pwd=$(pwd)/build1 and PWD=C:\\Users\\anna1',
    'password=process.env.PASSWORD and token=process.env.TOKEN_2 and api_key = os.environ["KEY_1"]',
    'password: minLength(8).required() and password: z.string().min(8) and api_key: Optional[str1]',
    'connect(password=config.db_password) and password=db_password',
    'password: https://wiki.example.org/passwords-2026',
    'postgres://user:$(get-password-1)@db/x and PASSWORD="$(get-password-1)" and PASSWORD=$DB_PASSWORD_1',
    `postgres://user:${'$'}{DB_PASSWORD_1}@db/x and PASSWORD="${'$'}{DB_PASSWORD_1}"`,
    'password: ******** and api_key="<your-api-key>" and API_KEY=your-api-key-here',
    'password:\n  min_length_1: 12',
  ])('leaves alone: %s', (text) => {
    expect(findSecrets(text)).toEqual({ text, kinds: [], count: 0 });
  });

  it.each([
    ['MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB', 'AQC7'],
    ['Proc-Type: 4,ENCRYPTED', '', 'MIIEvQIBADANBgkqhkiG9w0B'],
  ])('takes a private key without its end as far as it goes', (...lines) => {
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines].join('\n');
    expect(findSecrets(`Look: ${key}\n\nThat was the first half.`)).toEqual({
      text: 'Look: [redacted:private_key]\n\nThat was the first half.',
      kinds: ['private_key'],
      count: 1,
    });
    expect(findSecrets(JSON.stringify({ key, more: 'yes' })).text).toBe(
      '{"key":"[redacted:private_key]","more":"yes"}',
    );
  });

  it.each([
    [`https://${made('ghp_', letters.slice(0, 36))}@github.com/x`, 'https://[redacted:token]@github.com/x', 1],
    [`https://${hex}@github.com/x`, 'https://[redacted:token]@github.com/x', 1],
    [`https://${hex}:x-oauth-basic@github.com`, 'https://[redacted:token]:[redacted:password]@github.com', 2],
    [`API_KEY=${made('sk-', letters.slice(0, 40))}!more9`, 'API_KEY=[redacted:api_key]', 1],
    [`Bearer ${made('ghp_', letters.slice(0, 36))}`, 'Bearer [redacted:token]', 1],
    [
      'password=[redacted:token] https://[redacted:token]@x.org',
      'password=[redacted:token] https://[redacted:token]@x.org',
      0,
    ],
  ])('puts one mark in the place of one secret: %s', (text, redacted, count) => {
    const found = findSecrets(text);
    expect(found.count).toBe(count);
    expect(found.text).toBe(redacted);
    expect(findSecrets(found.text)).toEqual({ text: found.text, kinds: [], count: 0 });
  });

  it('finds nothing in what it has redacted', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...secrets.map(([, each]) => each)), fc.string())), (parts) => {
        for (const glue of [' ', '=', ' password=', '@']) {
          const { text } = findSecrets(parts.join(glue));
          expect(findSecrets(text)).toEqual({ text, kinds: [], count: 0 });
        }
      }),
    );
  });

  const repeated = [
    ...['eyJ-', 'a:', '4 ', '4111.', 'sk-', 'x://', 'x://a:', 'x://a:a@', 'a@', '-----BEGIN PRIVATE KEY-----'],
    ...[
      '-----BEGIN PRIVATE KEY-----\n',
      '-----BEGIN PRIVATE KEY-----\nA: b',
      '-----BEGIN A PRIVATE KEY',
      'token=process.',
    ],
    ...['password=', 'token:', 'DB_PASSWORD ', 'a_', '"', 'basic ', 'Authorization: Basic '],
  ];
  it.each(repeated)('takes no time for a megabyte of %s', (part) => {
    const before = process.cpuUsage();
    findSecrets(part.repeat(1_000_000 / part.length));
    // The time of others does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
