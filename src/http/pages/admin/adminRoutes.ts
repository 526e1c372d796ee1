// The routes under /admin, where the team manages invites, keys, months and people (contract §5 rule 6).

import type { Role } from '../../../access/people/people.ts';
import type { PageDeps } from '../deps.ts';
import type { Reply, Route } from '../reply.ts';
import { signOut } from '../signin.ts';
import { auditPage } from '../templates/auditPage.ts';
import { invite, revokeInvite, showInvites } from './inviteHandlers.ts';
import { changeLimits, replaceKey, revokeKey, rotate, showKey } from './keyHandlers.ts';
import { revokeMany, showKeys } from './keyListHandlers.ts';
import { showDifference, showMonths, showReport } from './months.ts';
import { changeRole, endSession, makeLink, showPeople } from './peopleHandlers.ts';
import {
  backTo,
  formHandler,
  type HandleForm,
  ok,
  type ShowPage,
  type Visit,
  viewHandler,
} from './teamVisit.ts';

/** All routes under /admin, except those that sign in. Each form names the role that it needs. */
export const adminRoutes = (deps: PageDeps): readonly Route[] => {
  const view = (show: ShowPage) => viewHandler(deps, show);
  const act = (needed: Role, perform: HandleForm) => formHandler(deps, needed, perform);
  const key = (end: string) => new RegExp(`^/admin/keys/([0-9A-Za-z]+)${end}$`);
  return [
    { path: /^\/admin$/, GET: view(showKeys) },
    { path: /^\/admin\/revoke$/, GET: backTo(''), POST: act('manager', revokeMany) },
    { path: key(''), GET: view(showKey) },
    { path: key('/limits'), GET: backTo('keys/'), POST: act('manager', changeLimits) },
    { path: key('/rotate'), GET: backTo('keys/'), POST: act('manager', rotate) },
    { path: key('/revoke'), GET: backTo('keys/'), POST: act('manager', revokeKey) },
    { path: key('/replace'), GET: backTo('keys/'), POST: act('manager', replaceKey) },
    { path: /^\/admin\/invites$/, GET: view(showInvites), POST: act('manager', invite) },
    {
      path: /^\/admin\/invites\/([0-9A-Za-z]+)\/revoke$/,
      GET: backTo('invites'),
      POST: act('manager', revokeInvite),
    },
    { path: /^\/admin\/months$/, GET: view(showMonths) },
    { path: /^\/admin\/months\/difference$/, GET: view(showDifference) },
    { path: /^\/admin\/months\/([0-9.-]+)\/report$/, GET: view(showReport) },
    { path: /^\/admin\/people$/, GET: view(showPeople) },
    { path: /^\/admin\/people\/link$/, GET: backTo('people'), POST: act('owner', makeLink) },
    { path: /^\/admin\/people\/role$/, GET: backTo('people'), POST: act('owner', changeRole) },
    {
      path: /^\/admin\/sessions\/([0-9A-Za-z]+)\/end$/,
      GET: backTo('people'),
      POST: act('viewer', endSession),
    },
    { path: /^\/admin\/audit$/, GET: view(showAudit) },
    { path: /^\/admin\/signout$/, GET: backTo(''), POST: act('viewer', leave) },
  ];
};

/** How many entries of the audit log a page shows. */
const ENTRIES = 50;

async function showAudit(visit: Visit): Promise<Reply> {
  const entryId = visit.query.get('before') ?? '';
  const before = /^[0-9]{1,16}-[0-9]{1,10}$/.test(entryId) ? { before: entryId } : {};
  const entries = await visit.deps.audit.read({ count: ENTRIES + 1, ...before });
  const part = entries.slice(0, ENTRIES);
  const older = entries.length > ENTRIES ? (part.at(-1)?.entry ?? null) : null;
  return ok(auditPage(visit, { entries: part, older, isNewest: !('before' in before) }));
}

const leave: HandleForm = (visit) => signOut(visit.request, visit, visit.deps);
