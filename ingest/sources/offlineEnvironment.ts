// The environment of processes that we start for ourselves and that use no network.

/**
 * The environment of this process without `NODE_OPTIONS` and `NODE_EXTRA_CA_CERTS`. Node parses the certificates of the
 * latter at every start: 40 ms of CPU for those of a Linux distribution.
 */
export function offlineEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...settings } = process.env;
  return { ...settings, NODE_OPTIONS: '' };
}
