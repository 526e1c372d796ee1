// What the pages need to know of the settings.

export interface PagesSettings {
  /** What links begin with; no slash at the end. */
  readonly publicUrl: string;
  /** What a key admits that has no limits of its own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}
