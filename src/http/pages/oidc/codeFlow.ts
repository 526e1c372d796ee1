// The authorization code flow with PKCE, state and nonce. The browser goes to the provider, and comes back with a code.

import type { Configuration } from 'openid-client';
import type { OidcFlow } from '../../../access/people/oidcFlows.ts';
import type { Claims } from './claims.ts';

export type CodeFlow = ReturnType<typeof codeFlowOf>;

/** Signs in at one provider. The library for it is loaded at the first sign-in. */
export const codeFlowOf = (provider: () => Promise<Configuration>, roleClaim: string) => ({
  /** The URL to which the browser is sent, and the values that the provider's answer has to match. */
  async begin(callback: string): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    const [client, configuration] = await Promise.all([import('openid-client'), provider()]);
    const codeVerifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, flow: { state, nonce, codeVerifier } };
  },

  /**
   * Redeems the code of the provider's answer for claims.
   *
   * @param answer the address of the callback with the query that the provider has added.
   */
  async redeem(answer: URL, { codeVerifier, state, nonce }: OidcFlow): Promise<Claims> {
    const [client, configuration] = await Promise.all([import('openid-client'), provider()]);
    const tokens = await client.authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const idToken: Claims = tokens.claims() ?? {};
    const needsMore = idToken.email === undefined || idToken[roleClaim] === undefined;
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!needsMore || !hasMore) return idToken;
    const subject = String(idToken.sub ?? '');
    // The claims of the ID token come before those of the user info, because the token is signed.
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, subject)), ...idToken };
  },
});
