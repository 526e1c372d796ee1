// Starts the whole service for tests of its pages: `const site = await startSite(redis)`.

import path from 'node:path';
import { type Invites, invitesOf } from '../../src/access/invites/invites.ts';
import { type Keys, keysOf } from '../../src/access/keys/keys.ts';
import type { Role } from '../../src/access/people/people.ts';
import { type Sessions, sessionsOf } from '../../src/access/people/sessions.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import type { OidcSettings } from '../../src/http/pages/oidc/provider.ts';
import { createPages } from '../../src/http/pages/pages.ts';
import { createExplorer } from '../../src/http/pages/serveExplorer.ts';
import { logTo } from '../../src/log/log.ts';
import { patientGate } from './patientGate.ts';
import type { TestDatabase } from './redis.ts';
import { startServer } from './server.ts';

export const DAY_MS = 86_400_000;

export interface Site extends Requester {
  /** The address, without a slash at the end. */
  readonly url: string;
  readonly invites: Invites;
  readonly keys: Keys;
  readonly sessions: Sessions;
  /** Every line that was logged, as JSON. */
  readonly log: readonly string[];
  /** Makes an invite; returns the path of its page. */
  invite(label?: string): Promise<string>;
  /** `get` and `post` that send each request once. Those of the site itself repeat a request that got 503. */
  readonly hasty: Requester;
  close(): Promise<void>;
}

interface Requester {
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** Sends a form like a browser on our own page. A header of null is left out. */
  post(
    path: string,
    form: Record<string, string> | URLSearchParams,
    headers?: Record<string, string | null>,
  ): Promise<Seen>;
}

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The text of the first heading. */
  readonly title: string;
  /** The cookie of the answer as `name=value`, the form in which a browser sends it back. */
  readonly cookie: string;
  /** The form's hidden fields. */
  readonly fields: Record<string, string>;
}

/** Somebody who is signed in. */
export interface Person {
  /** The cookie of the session as `name=value`. */
  readonly cookie: string;
  open(path: string): Promise<Seen>;
  /** Sends a form of the page `page`, with its hidden fields. */
  send(page: string, path: string, form?: Record<string, string>): Promise<Seen>;
}

/** Signs somebody in by a link. */
export async function signIn(site: Site, name = 'ann', role: Role = 'owner'): Promise<Person> {
  const { token } = await site.sessions.createLink({ by: 'test', name, role });
  const entered = await site.get(`/admin/signin/${token}`);
  const { cookie } = await site.post(`/admin/signin/${token}`, entered.fields, { cookie: entered.cookie });
  return {
    cookie,
    open: (path) => site.get(path, { cookie }),
    async send(page, path, form = {}) {
      const { fields } = await site.get(page, { cookie });
      return site.post(path, { ...fields, ...form }, { cookie });
    },
  };
}

/** Starts a server with the API, the explorer and the pages for people. `oidc` sets an identity provider. */
export async function startSite(
  redis: TestDatabase,
  publicUrl = 'http://127.0.0.1',
  dataDir = '/nonexistent',
  oidc: OidcSettings | null = null,
): Promise<Site> {
  const log: string[] = [];
  const note = (facts: object, message: string) => void log.push(JSON.stringify({ message, ...facts }));
  const writer = { info: note, warn: note, error: note };
  const rateLimits = { perMinute: 100, perDay: 10_000 };
  const server = await startServer({
    log: writer,
    authenticator: createAuthenticator(patientGate(redis.client, rateLimits), () => {}),
    pages: [
      createExplorer(path.resolve('dist/explorer')),
      createPages({
        redis: redis.client,
        observe: logTo(writer),
        settings: { dataDir, publicUrl, rateLimits, oidc },
      }),
    ],
  });
  const { url } = server;
  const invites = invitesOf(redis.client);
  return {
    url,
    log,
    invites,
    keys: keysOf(redis.client),
    sessions: sessionsOf(redis.client),
    async invite(label = 'Acme') {
      const { token } = await invites.create({ label, claimableMs: 7 * DAY_MS, by: 'test' });
      return `/claim/${token}`;
    },
    ...asking(url, TRIES),
    hasty: asking(url, 1),
    close: server.close,
  };
}

/** The most tries of a request. A machine that runs all tests at once may delay Redis. */
const TRIES = 10;

function asking(url: string, tries: number): Requester {
  async function ask(path: string, init: RequestInit): Promise<Seen> {
    for (let tried = 1; ; tried++) {
      const response = await fetch(url + path, { redirect: 'manual', ...init });
      if (response.status !== 503 || tried === tries) return seen(response);
      await response.text();
    }
  }
  return {
    get: (path, headers = {}) => ask(path, { headers }),
    post(path, form, headers = {}) {
      const all = { origin: url, 'content-type': 'application/x-www-form-urlencoded', ...headers };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      return ask(path, { method: 'POST', headers: sent, body: new URLSearchParams(form).toString() });
    },
  };
}

async function seen(response: Response): Promise<Seen> {
  const html = await response.text();
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: /<h1[^>]*>([^<]*)</.exec(html)?.[1] ?? '',
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    fields: Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value])),
  };
}
