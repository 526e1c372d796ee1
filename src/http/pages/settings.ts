// The settings that the pages use.

export interface PagesSettings {
  /** Where the snapshots lie, for the history of months. */
  readonly dataDir: string;
  /** What links begin with; no slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
