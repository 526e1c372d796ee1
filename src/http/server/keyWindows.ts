// Stores the two windows of an admitted request's key with its response, for answers that report them.

import type { ServerResponse } from 'node:http';

interface KeyWindow {
  readonly limit: number;
  readonly used: number;
  /** Milliseconds until a request leaves the window. */
  readonly freesMs: number;
}

/** The state after the request was counted. `clockMs` is the time by Redis's clock. */
export interface KeyWindows {
  readonly clockMs: number;
  readonly minute: KeyWindow;
  readonly day: KeyWindow;
}

const WINDOWS = Symbol('windows of the key');

type Admitted = ServerResponse & { [WINDOWS]?: KeyWindows };

export function setKeyWindows(response: Admitted, windows: KeyWindows): void {
  response[WINDOWS] = windows;
}

/** Null on a server without keys. */
export const keyWindowsOf = (response: Admitted): KeyWindows | null => response[WINDOWS] ?? null;
