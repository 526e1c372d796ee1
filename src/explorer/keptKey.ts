// The key in the tab's session storage. A browser that blocks storage asks for the key again after a reload.

/** The claim page writes a new key under this name, too. */
const NAME = 'api-key';

export function keptKey(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Null forgets the key. */
export function keepKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // Storage is full, or the person blocked it. The page has the key in memory.
  }
}
