// A real OpenID Connect provider on this machine. Its built-in pages let anyone in under any name.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/** Listens at once, so that its address is known; answers once it was told which clients it has. */
export async function startOpenIdProvider() {
  let answer = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://localhost:${server.address().port}`;
  return {
    issuer,
    client: { client_id: 'threadkeep', client_secret: 'a-secret-of-the-provider' },

    serve({ redirectUri }) {
      // It warns about settings that are meant for development, as these are.
      const { warn } = console;
      console.warn = () => {};
      const provider = new Provider(issuer, {
        clients: [{ client_id: 'threadkeep', client_secret: 'a-secret-of-the-provider', redirect_uris: [redirectUri] }],
        pkce: { required: () => true },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        async findAccount(_context, sub) {
          const claims = { sub, name: `${sub} Example`, email: `${sub}@example.com`, email_verified: true };
          return { accountId: sub, claims: async () => claims };
        },
        cookies: { keys: ['a key for this test'] },
        features: { devInteractions: { enabled: true } },
      });
      console.warn = warn;
      answer = provider.callback();
    },

    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
