// Tracks whether the store works, for probes. Reports a problem once, not again at every poll.

import { HistoryDamaged } from '../catalog/readHistory.ts';
import type { Observe } from '../observations.ts';
import { StoreFailed } from './s3Client.ts';

export interface StoreHealthOptions {
  /** The address of the store, for messages. */
  readonly address: string;
  readonly dataDir: string;
  readonly observe: Observe;
}

/** Counts the store as down until the first poll succeeds. */
export function createStoreHealth({ address, dataDir, observe }: StoreHealthOptions) {
  let isUp = false;
  let lastReason: string | null = null;
  return {
    /** Whether the last poll of the store succeeded. */
    isUp: (): boolean => isUp,
    recordSuccess(): void {
      if (!isUp) observe({ event: 'store up', address });
      isUp = true;
      lastReason = null;
    },
    recordFailure(error: unknown): void {
      isUp = false;
      const reason = failureReason(error, dataDir);
      if (reason !== lastReason) observe({ event: 'store failed', reason });
      lastReason = reason;
    },
  };
}

/**
 * The problem and the remedy, on one line.
 *
 * The messages of `StoreFailed` and `HistoryDamaged` name their remedies. Other errors are about the data directory, and
 * get a remedy here. Errors of DuckDB, which makes the lock, have several lines.
 */
export function failureReason(error: unknown, dataDir: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const text = String(message ?? error).replace(/\s*\n\s*/g, ' ');
  if (error instanceof StoreFailed || error instanceof HistoryDamaged) return text;
  const isForbidden =
    ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '') || /permission denied|read-only/i.test(text);
  const remedy = isForbidden
    ? `let the server write to ${dataDir}`
    : `see that ${dataDir} is writable and its disk is not full`;
  return `the snapshot store cannot be followed (${text}); ${remedy}`;
}
