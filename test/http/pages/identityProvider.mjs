// Runs a real OpenID Connect provider for tests, as a process: oidc-provider does not run inside jest. Prints its address.
// `POST /test/setup` sets the redirect address, the address for notices of sign-outs, the client, and the account of the
// next sign-ins. With the account null, sign-ins are declined.

import { once } from 'node:events';
import http from 'node:http';
import Provider from 'oidc-provider';

let account = null;
let logins = 0;
let answer = (_, response) => response.end();

const server = http.createServer(async (request, response) => {
  if (request.url === '/test/setup') {
    const setup = JSON.parse((await request.toArray()).join(''));
    if (setup.redirectUri) answer = providerFor(setup).callback();
    if ('account' in setup) account = setup.account;
    if (setup.redirectUri || 'account' in setup) logins = 0;
    response.end(JSON.stringify({ logins }));
  } else answer(request, response);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
process.stdout.write(`${issuer}\n`);
// This process ends when the process that started it closes standard input.
process.stdin.resume().on('end', () => process.exit());

function providerFor({ redirectUri, logoutUri, clientId, clientSecret }) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // By default the provider sends nothing to addresses of this machine.
    fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...account }) }),
    async loadExistingGrant(context) {
      const accountId = context.oidc.session.accountId;
      const grant = new context.oidc.provider.Grant({ clientId, accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    logins += 1;
    context.respond = false;
    const result =
      account === null
        ? { error: 'access_denied', error_description: 'cancelled' }
        : { login: { accountId: `account ${account.email}` } };
    await provider.interactionFinished(context.req, context.res, result);
  });
  return provider;
}
