// Parses `REDIS_URL`, which names one server, some nodes of a cluster, some Sentinels, or a Unix socket.

/** Where Redis is. */
export interface RedisAddress {
  /** The server, or some nodes of a cluster, or some of the Sentinels. */
  readonly nodes: readonly RedisNode[];
  /** The name by which the Sentinels know the master; left out without Sentinels. */
  readonly master?: string;
  readonly cluster: boolean;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly db: number;
}

type RedisNode = { readonly host: string; readonly port: number } | { readonly path: string };

/** The accepted forms of an address, for error messages. */
export const REDIS_ADDRESS_FORMS =
  'redis://user:password@host:6379/0, unix:///path/redis.sock, or for a cluster some of its nodes with commas between, or redis+cluster://host:6379, or for Sentinels redis+sentinel://host:26379,host:26379/master; rediss instead of redis always means TLS';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/** The address that a text names; undefined when the text is not an address. */
export function parseRedisAddress(text: string, defaultPort = REDIS_PORT): RedisAddress | undefined {
  const plain = { cluster: false, tls: false, username: null, password: null, db: 0 };
  const [, socket] = /^unix:\/\/(\/[^?#]+)$/.exec(text) ?? [];
  if (socket !== undefined) return { ...plain, nodes: [{ path: socket }] };
  const [, sentinelScheme, sentinels, master] =
    /^(rediss?)\+sentinel:\/\/([^/]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (sentinels !== undefined && master !== undefined) {
    const address = parseRedisAddress(`${sentinelScheme}://${sentinels}`, SENTINEL_PORT);
    return address && { ...address, cluster: false, master };
  }
  const [, scheme, cluster, rest = ''] = /^(rediss?)(\+cluster)?:\/\/(.+)$/.exec(text) ?? [];
  const parts = rest
    .split(',')
    .map((part) => parseNode(part.replace(/^rediss?(\+cluster)?:\/\//, ''), defaultPort));
  const nodes = parts.flatMap((part) => part ?? []);
  const isCluster = cluster !== undefined || nodes.length > 1;
  if (nodes.length < parts.length || (isCluster && nodes.some(({ db }) => db !== 0))) return undefined;
  const login = nodes.find(({ password }) => password !== null) ?? nodes[0];
  return {
    nodes: nodes.map(({ host, port }) => ({ host, port })),
    cluster: isCluster,
    tls: scheme === 'rediss',
    username: login?.username ?? null,
    password: login?.password ?? null,
    db: nodes[0]?.db ?? 0,
  };
}

/** Parses `user:password@host:port/db`, of which only the host is required; undefined for any other text. */
function parseNode(text: string, defaultPort: number) {
  try {
    const url = new URL(`redis://${text}`);
    const [, db] = /^\/?(\d*)$/.exec(url.pathname) ?? [];
    const isAddress = url.hostname !== '' && url.port !== '0' && db !== undefined;
    if (!isAddress || url.search !== '' || url.hash !== '') return undefined;
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || defaultPort),
      username: decodeURIComponent(url.username) || null,
      password: decodeURIComponent(url.password) || null,
      db: Number(db),
    };
  } catch {
    return undefined;
  }
}

/** Masks all text that may be a password: before an `@`, after a `?`, and after a `:` unless it is a port. */
export function maskRedisPassword(text: string): string {
  return text
    .replace(/^([a-z+]+:\/\/)?.*@/is, '$1***@')
    .replace(/\?.*$/s, '?***')
    .replace(/:(?!\/\/|\d{1,5}(?:[/,]|$))[^/,]*/g, ':***');
}

/** The nodes of an address for messages, such as `a:7000, b:7000`. */
export const describeRedisAddress = ({ nodes }: RedisAddress): string =>
  nodes.map((node) => ('path' in node ? node.path : `${node.host}:${node.port}`)).join(', ');
