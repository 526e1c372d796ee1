// Caches the manifests of snapshots that are not open, because requests are checked against them. Limited in bytes.

import type { AnyManifest } from './manifest.ts';

/** The key is the signature of a snapshot. */
export interface ManifestCache {
  get(signature: string): AnyManifest | undefined;
  /** A manifest larger than the capacity is not cached. */
  set(signature: string, manifest: AnyManifest): void;
  /** The memory of all manifests. */
  bytes(): number;
}

/** The most memory of all cached manifests. */
export const MANIFESTS_CAPACITY_BYTES = 16 * 2 ** 20;

/** The memory of a parsed manifest for each character of its text, as measured. */
const BYTES_PER_CHARACTER = 5;

/** The oldest manifest is evicted first. */
export function createManifestCache(capacityBytes: number = MANIFESTS_CAPACITY_BYTES): ManifestCache {
  const entries = new Map<string, { readonly manifest: AnyManifest; readonly bytes: number }>();
  let total = 0;
  return {
    get: (signature: string): AnyManifest | undefined => entries.get(signature)?.manifest,
    set(signature: string, manifest: AnyManifest): void {
      const bytes = BYTES_PER_CHARACTER * JSON.stringify(manifest).length;
      if (bytes > capacityBytes) return;
      total += bytes - (entries.get(signature)?.bytes ?? 0);
      entries.set(signature, { manifest, bytes });
      for (const [oldest, entry] of entries) {
        if (total <= capacityBytes) return;
        entries.delete(oldest);
        total -= entry.bytes;
      }
    },
    bytes: () => total,
  };
}
