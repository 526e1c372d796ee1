// The settings that the pages use.

import type { OidcSettings } from './oidc/provider.ts';

export interface PagesSettings {
  /** The identity provider that the team signs in with. With null, or left out, people sign in by one-time links only. */
  readonly oidc?: OidcSettings | null;
  /** Where the snapshots lie, for the history of months. */
  readonly dataDir: string;
  /** What links begin with; no slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
