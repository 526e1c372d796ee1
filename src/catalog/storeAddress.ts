// Parses `SNAPSHOT_STORE`: a bucket of an S3-compatible store, and a prefix in it.

/** `s3://bucket/prefix`, with the prefix ending in a slash or empty. */
export interface StoreAddress {
  readonly bucket: string;
  readonly prefix: string;
}

/** The address in a text; `undefined` when it is none. */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  const isPlain = parts.every((part) => /^[\w.=-]+$/.test(part) && part !== '.' && part !== '..');
  if (bucket === '' || !isPlain) return undefined;
  return { bucket, prefix: parts.map((part) => `${part}/`).join('') };
}
