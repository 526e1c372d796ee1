// GET and POST /admin/signin/<token>, POST /admin/signout: signs the team in and out.

import type { Request } from 'express';
import type { SignedInSession } from '../../access/people/sessions.ts';
import { cookieOf, setCookie } from './cookies.ts';
import type { PageDeps } from './deps.ts';
import { isFromOurButton, nonceFor } from './form.ts';
import { isHttps } from './origin.ts';
import { type Reply, type Route, rootFrom, seeOther } from './reply.ts';
import { refusedForm, signedOut, signinForm, spentSignin } from './templates/signinPages.ts';

/** The page of a sign-in link. GET shows the button, and POST begins the session. */
export function signinRoutes({ sessions, settings: { publicUrl } }: PageDeps): readonly Route[] {
  /** Shows the button. Does not use up the link, because mail and chat programs open links for previews. */
  async function show(request: Request, token = ''): Promise<Reply> {
    if (!(await sessions.isOpen(token))) return { status: 410, page: spentSignin() };
    const { nonce, headers } = nonceFor(request, publicUrl);
    return { status: 200, page: signinForm(nonce), headers };
  }

  async function signIn(request: Request, token = ''): Promise<Reply> {
    if (!(await sessions.isOpen(token))) return { status: 410, page: spentSignin() };
    if (!(await isFromOurButton(request, publicUrl))) return { status: 403, page: refusedForm('') };
    const signedIn = await sessions.signIn(token);
    if (signedIn === null) return { status: 410, page: spentSignin() };
    return seeOther(`${rootFrom(request)}admin`, sessionCookie(request, publicUrl, signedIn.cookie));
  }

  return [{ path: /^\/admin\/signin\/([^/%]+)$/, GET: show, POST: signIn }];
}

/** The session of a request; `nobody` without a cookie, `ended` when the session of its cookie has ended. */
export async function sessionOf(
  request: Request,
  { sessions, settings }: PageDeps,
): Promise<SignedInSession | 'nobody' | 'ended'> {
  const cookie = cookieOf(request, cookieName(request, settings.publicUrl));
  if (cookie === null || cookie === '') return 'nobody';
  const session = await sessions.find(cookie);
  return session === null ? 'ended' : { session, cookie };
}

/** Ends a session, and removes its cookie from the browser. */
export async function signOut(
  request: Request,
  { cookie }: SignedInSession,
  { sessions, settings }: PageDeps,
): Promise<Reply> {
  await sessions.end(cookie);
  return { status: 200, page: signedOut(), headers: sessionCookie(request, settings.publicUrl, '') };
}

/** The header that sets the session's cookie, which is kept until the browser is closed. An empty value removes it. */
export function sessionCookie(request: Request, publicUrl: string, value: string) {
  const name = cookieName(request, publicUrl);
  const age = value === '' ? { maxAgeSeconds: 0 } : {};
  return setCookie({ name, value, isSecure: isHttps(request, publicUrl), ...age });
}

/** The name of the session's cookie. Browsers accept the prefix `__Host-` only from this very host and over https. */
const cookieName = (request: Request, publicUrl: string) =>
  isHttps(request, publicUrl) ? '__Host-session' : 'session';
