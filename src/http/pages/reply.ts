// What a page's handler gives, and how it is sent: whole, once, with the headers of all pages.

import type { Request, Response } from 'express';
import { type HeaderList, requestIdOf, transportHeaders } from '../server/headers.ts';
import { rawPath } from '../server/url.ts';
import { message } from './templates/message.ts';
import { PAGE_HEADERS, type Page, renderPage } from './templates/page.ts';

/** One address of the pages, matched against the raw path; its groups are the handler's `params`. */
export interface Route {
  readonly path: RegExp;
  readonly GET?: Handler;
  readonly POST?: Handler;
}

export type Handler = (request: Request, ...params: string[]) => Promise<Reply>;

export interface Reply {
  readonly status: number;
  readonly page: Page;
  readonly headers?: HeaderList;
}

/** Sends a page; of a HEAD request node sends the headers alone. */
export function sendPage(response: Response, { status, page, headers = [] }: Reply): void {
  const body = renderPage(page);
  const length = ['Content-Length', String(body.length)];
  const id = ['X-Request-Id', requestIdOf(response)];
  response.writeHead(status, [...id, ...PAGE_HEADERS, ...transportHeaders(response), ...length, ...headers]);
  response.end(body);
}

/** What a form did is shown at another address, so that loading that again repeats nothing. */
export const seeOther = (location: string, headers: HeaderList = []): Reply => ({
  status: 303,
  page: message({ title: 'Done', said: `Go on at ${location}.` }),
  headers: ['Location', location, ...headers],
});

/** From a request's path to the root of the service, as links are written: `./`, `../`, `../../` … */
export const rootFrom = (request: Request): string =>
  '../'.repeat(rawPath(request).split('/').length - 2) || './';
