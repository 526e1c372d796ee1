// The settings that the pages use.

import type { OidcSettings } from './oidc/provider.ts';

export interface PagesSettings {
  /**
   * The identity provider with which the team signs in. When null or left out, people sign in only with one-time links.
   */
  readonly oidc?: OidcSettings | null;
  /** The data directory, for the history of months. */
  readonly dataDir: string;
  /** The beginning of links, without a slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
