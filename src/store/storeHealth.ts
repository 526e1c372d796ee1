// Whether a store works, for probes. A problem is reported once, and again only after another problem or a recovery.

import { HistoryDamaged } from '../catalog/history.ts';
import type { Observe } from '../observations.ts';
import { StoreFailed } from './s3Client.ts';

export interface StoreHealth {
  /** Whether the last look at the store succeeded. */
  isUp(): boolean;
  succeeded(): void;
  failed(error: unknown): void;
}

export interface StoreHealthOptions {
  /** Of the store, for messages. */
  readonly address: string;
  readonly dataDir: string;
  readonly observe: Observe;
}

export function createStoreHealth({ address, dataDir, observe }: StoreHealthOptions): StoreHealth {
  let isUp = false;
  let lastReason: string | null = null;
  return {
    isUp: () => isUp,
    succeeded() {
      if (!isUp) observe({ event: 'store up', address });
      isUp = true;
      lastReason = null;
    },
    failed(error) {
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
 * The messages of `StoreFailed` and `HistoryDamaged` have a remedy. Any other error comes from the data directory. DuckDB,
 * which makes the lock, has messages of several lines.
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
