// Stores the key in the session storage of the tab. If the browser blocks storage, a reload asks for the key again.

/** The name of the key in the storage. The claim page also stores a new key under this name. */
const NAME = 'api-key';

/** The key of this tab; null when it has none, or the browser blocks storage. */
export function readSessionKey(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Stores the key; null removes it. */
export function storeSessionKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // The storage is full or blocked. The page still has the key in memory.
  }
}
