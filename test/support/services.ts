// Asks jest's main process for a service that all test files of a run share; services.mjs starts it when it is first asked for.

/** What a service answers. Redis: a database that no other caller gets. */
export interface Services {
  /** Free, and given to nobody else. */
  readonly port: { readonly port: number };
  readonly redis: { readonly url: string };
  readonly chromium: { readonly endpoint: string };
  readonly server: { readonly url: string; readonly redisUrl: string };
}

/** @throws with what is missing on this machine, and how to install it. */
export async function service<Name extends keyof Services>(name: Name): Promise<Services[Name]> {
  const address = process.env.TEST_SERVICES;
  if (address === undefined) throw new Error('TEST_SERVICES is unset: run the tests through jest');
  const response = await fetch(`${address}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Services[Name];
}
