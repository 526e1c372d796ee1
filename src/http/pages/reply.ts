// The replies of page handlers. Sends them with the headers that all pages share.

import type { Request, Response } from 'express';
import type { HeaderList } from '../server/headers.ts';
import { rawPath } from '../server/requestUrl.ts';
import { sendPageContent } from '../server/send.ts';
import { message } from './templates/message.ts';
import { headersWithPolicy, PAGE_HEADERS, type Page, renderPage } from './templates/pageFrame.ts';

/** A route. Its pattern is matched with the undecoded path, and its handlers receive the groups of the pattern. */
export interface Route {
  readonly path: RegExp;
  readonly GET?: Handler;
  readonly POST?: Handler;
}

export type Handler = (request: Request, ...params: string[]) => Promise<Reply>;

export type Reply = PageReply | DocumentReply;

export interface PageReply {
  readonly status: number;
  readonly page: Page;
  readonly headers?: HeaderList;
}

/** A whole document with a policy of its own, as in `pageSecurity`, such as the report of a month. */
export interface DocumentReply {
  readonly status: number;
  readonly document: { readonly body: Buffer; readonly policy: string };
  readonly headers?: HeaderList;
}

/** Sends a reply. */
export function sendPage(response: Response, reply: Reply): void {
  const { status, headers = [] } = reply;
  const body = 'page' in reply ? renderPage(reply.page) : reply.document.body;
  const pageHeaders = 'page' in reply ? PAGE_HEADERS : headersWithPolicy(reply.document.policy);
  sendPageContent(response, status, [...pageHeaders, ...headers], body);
}

/** Redirects to a page that shows what the form did, so that a reload does not send the form again. */
export const seeOther = (location: string, headers: HeaderList = []): Reply => ({
  status: 303,
  page: message({ title: 'Done', text: `Continue at ${location}.` }),
  headers: ['Location', location, ...headers],
});

/** The relative link from the path of a request to the root of the service, such as `./` or `../../`. */
export const rootFrom = (request: Request): string =>
  '../'.repeat(rawPath(request).split('/').length - 2) || './';
