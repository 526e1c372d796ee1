// Parses `SNAPSHOT_STORE`, which names a bucket of an S3-compatible store and a prefix in it.

/** The parts of an address `s3://bucket/prefix`. The prefix is empty or ends in a slash. */
export interface StoreAddress {
  readonly bucket: string;
  readonly prefix: string;
}

/** The address that a text names; undefined when the text is not an address. */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  const isPlain = parts.every((part) => /^[\w.=-]+$/.test(part) && part !== '.' && part !== '..');
  if (bucket === '' || !isPlain) return undefined;
  return { bucket, prefix: parts.map((part) => `${part}/`).join('') };
}
