// Requests a service that all test files share from jest's main process. services.mjs starts it at the first request.

/** The answers of the services. */
export interface Services {
  /** A free port, which no other caller gets. */
  readonly port: { readonly port: number };
  /** A database of Redis, which no other caller gets. */
  readonly redis: { readonly url: string };
  readonly chromium: { readonly endpoint: string };
  readonly server: { readonly url: string; readonly redisUrl: string };
}

/** @throws {Error} that names a program that is not installed, and the command that installs it. */
export async function service<Name extends keyof Services>(name: Name): Promise<Services[Name]> {
  const address = process.env.TEST_SERVICES;
  if (address === undefined) throw new Error('TEST_SERVICES is unset: run the tests through jest');
  const response = await fetch(`${address}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Services[Name];
}
