import type { MadeToken } from '../../../auth/tokens.js';
import type { TokenRow } from '../../../records/account-rows.js';
import type { Command, Result } from '../../command.js';
import { columns, printable } from '../../terminal.js';
import { administer, moment, table } from './users.js';

const expiresIn = {
  flags: '--expires-in <time>',
  text: 'How long it is valid, such as 90d, 12h, 2w (default: it never expires)',
};

interface CreateOptions {
  user: string;
  displayName?: string;
  scopes?: string[];
  expiresIn?: string;
  rawTokenStdin?: boolean;
}

export const tokenCreate: Command<CreateOptions> = {
  name: 'admin token create',
  operator: true,
  summary: 'Create a token and print it once',
  options: [
    { flags: '--user <name>', text: 'The user of the token', required: true },
    { flags: '--display-name <text>', text: 'What it is for (default: token of <name>)' },
    {
      flags: '--scopes <scope>',
      text: 'memory:read, memory:write, memory:manage (default: these three) or service:operate; repeat it or use commas',
      kind: 'list',
    },
    expiresIn,
    { flags: '--raw-token-stdin', text: 'Register the token on standard input instead of a new one' },
  ],
  examples: [
    'threadkeep admin token create --user nora --display-name laptop',
    'threadkeep admin token create --user nora --display-name "browser extension" --scopes memory:write --expires-in 90d',
    'threadkeep admin token create --user nora --raw-token-stdin < old-token.txt',
    'THREADKEEP_TOKEN=$(threadkeep admin token create --user nora --quiet)   (prints the token alone)',
  ],
  async run(invocation) {
    const { options } = invocation;
    const { createToken } = await import('../../../auth/tokens.js');
    const value = options.rawTokenStdin === true ? await tokenFromInput() : undefined;
    const lifetime = await lifetimeOf(options.expiresIn);
    const { user, displayName, scopes } = options;
    const made = await administer(invocation, { changes: true }, (administration) =>
      createToken(administration, { user, displayName, scopes, lifetime, value }),
    );
    return madeResult(made, { given: value !== undefined });
  },
};

export const tokenList: Command<{ user?: string }> = {
  name: 'admin token list',
  operator: true,
  summary: 'List tokens by id and prefix',
  options: [{ flags: '--user <name>', text: 'Only tokens of this user' }],
  examples: ['threadkeep admin token list --user nora'],
  async run(invocation) {
    const { user } = invocation.options;
    const { requireUser } = await import('../../../auth/users.js');
    const tokens = await administer(invocation, { changes: false }, async ({ accounts }) => {
      if (user !== undefined) await requireUser(accounts, user);
      return accounts.tokens(user);
    });
    const rows = tokens.map((token) => [
      token.id,
      token.prefix,
      token.user_id,
      token.display_name,
      token.scopes.join(' '),
      stateOf(token),
    ]);
    return { json: { status: 'ok', results: tokens.map(tokenRecord) }, text: () => table(rows, 'no tokens') };
  },
};

export const tokenRevoke: Command = {
  name: 'admin token revoke',
  operator: true,
  arguments: [{ name: '<token_id_or_prefix>', text: 'Its id, or the prefix that token list shows' }],
  summary: 'Revoke a token, from the next request on',
  examples: ['threadkeep admin token revoke tok_5e2f', 'threadkeep admin token revoke tk_h3KqZ0aB1'],
  async run(invocation) {
    const { revokeToken } = await import('../../../auth/tokens.js');
    const [idOrPrefix = ''] = invocation.args;
    const token = await administer(invocation, { changes: true }, (administration) =>
      revokeToken(administration, idOrPrefix),
    );
    const json = { status: 'ok', token_record: tokenRecord(token) };
    return { json, text: (style) => `Revoked ${style.strong(token.id)} (${token.prefix}…)` };
  },
};

export const tokenRotate: Command<{ expiresIn?: string }> = {
  name: 'admin token rotate',
  operator: true,
  arguments: [{ name: '<token_id_or_prefix>', text: 'Its id, or the prefix that token list shows' }],
  summary: 'Give a token a new value and print it once; the old value stops working with the next request',
  options: [{ ...expiresIn, text: 'How long the new value is valid (default: as long as the old one was)' }],
  examples: ['threadkeep admin token rotate tok_5e2f --expires-in 90d'],
  async run(invocation) {
    const { rotateToken } = await import('../../../auth/tokens.js');
    const [idOrPrefix = ''] = invocation.args;
    const lifetime = await lifetimeOf(invocation.options.expiresIn);
    const made = await administer(invocation, { changes: true }, (administration) =>
      rotateToken(administration, idOrPrefix, lifetime),
    );
    return madeResult(made, { given: false });
  },
};

async function tokenFromInput(): Promise<string> {
  const { readInput } = await import('../../input-file.js');
  const { givenToken } = await import('../../../auth/tokens.js');
  return givenToken(await readInput('-', 10_000));
}

async function lifetimeOf(text: string | undefined): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { parseLifetime } = await import('../../../auth/tokens.js');
  return parseLifetime(text);
}

/** An imported token is already known to its owner, so it is not printed back. */
function madeResult({ token, row }: MadeToken, { given }: { given: boolean }): Result {
  const json = { status: 'ok', ...(given ? {} : { token }), token_record: tokenRecord(row) };
  return {
    json,
    ...(given ? {} : { once: token }),
    text: (style) =>
      [
        columns(
          [
            ['token', given ? undefined : style.strong(token)],
            ['id', row.id],
            ['prefix', row.prefix],
            ['user', row.user_id],
            ['name', printable(row.display_name)],
            ['scopes', row.scopes.join(' ')],
            ['expires', moment(row.expires_at) ?? 'never'],
          ],
          style,
        ),
        ...(given ? [] : ['Save it now: it is not stored and cannot be shown again.']),
      ].join('\n\n'),
  };
}

/** The fields of a token that may be shown. */
function tokenRecord({ id, user_id, hash: _, scope_rule: __, prefix, ...rest }: TokenRow): object {
  return { token_id: id, owner_id: user_id, token_prefix: prefix, ...rest };
}

function stateOf({ revoked_at, expires_at, last_used_at }: TokenRow): string {
  if (revoked_at !== undefined) return `revoked ${moment(revoked_at)}`;
  const expired = expires_at !== undefined && Date.parse(expires_at) <= Date.now();
  const end = expires_at === undefined ? '' : `, ${expired ? 'expired' : 'expires'} ${moment(expires_at)}`;
  return `${last_used_at === undefined ? 'never used' : `used ${moment(last_used_at)}`}${end}`;
}
