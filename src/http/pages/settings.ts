// The settings that the pages use.

export interface PagesSettings {
  /** What links begin with; no slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
