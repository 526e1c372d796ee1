// Caches the manifests of snapshots that are not open, within a limit. Requests are checked against them.

import type { AnyManifest } from './manifest.ts';

/** Manifests by the signature of their snapshot. */
export interface ManifestCache {
  get(signature: string): AnyManifest | undefined;
  /** Caches a manifest. One that is larger than the capacity is not cached. */
  set(signature: string, manifest: AnyManifest): void;
  /** The memory of all manifests. */
  bytes(): number;
}

/** The most memory of all cached manifests. */
export const MANIFESTS_CAPACITY_BYTES = 16 * 2 ** 20;

/** The measured memory of a parsed manifest per character of its text. */
const BYTES_PER_CHARACTER = 5;

/** Makes a cache that evicts the manifests that were added first. */
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
