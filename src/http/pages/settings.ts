// The settings that the pages use.

import type { OidcSettings } from './oidc.ts';

export interface PagesSettings {
  /** The team's identity provider; null or left out: sign-in links alone. */
  readonly oidc?: OidcSettings | null;
  /** Where the snapshots lie, for the history of months. */
  readonly dataDir: string;
  /** What links begin with; no slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
