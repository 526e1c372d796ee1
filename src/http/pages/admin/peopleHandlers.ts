// Handles the routes of people: owners change roles and make sign-in links, and everybody sees sessions.

import { parseShortText } from '../../../access/keys/shortText.ts';
import { isRole, mayActAs } from '../../../access/people/people.ts';
import { signinLink } from '../../../access/people/signinLinks.ts';
import { mintSecret } from '../../../access/secret.ts';
import { publicUrlFor } from '../origin.ts';
import { type Reply, seeOther } from '../reply.ts';
import { newSigninLink, type PeopleView, peoplePage } from '../templates/peoplePages.ts';
import { asSentence, type FormVisit, noSuch, ok, roleMissing, sentBefore, type Visit } from './teamVisit.ts';

/** The page of the team's people. */
export async function showPeople(visit: Visit): Promise<Reply> {
  return peopleReply(visit, {});
}

const CONFIRMATIONS = new Map([
  ['ended', 'The session is ended. Its next click asks to sign in.'],
  ['role', 'The role is changed. It holds from the person’s next click on.'],
  ['same-role', 'The person had this role already. Nothing was changed.'],
]);

async function peopleReply(visit: Visit, shown: Partial<PeopleView>, status = 200): Promise<Reply> {
  const { deps, query, session } = visit;
  const [people, sessions] = await Promise.all([deps.people.list(), deps.sessions.list()]);
  const confirmation = CONFIRMATIONS.get(query.get('said') ?? '') ?? null;
  const blank = { confirmation, problem: null, typed: null, once: mintSecret() };
  return {
    status,
    page: peoplePage(visit, { people, sessions, ownSession: session.id, ...blank, ...shown }),
  };
}

/** Makes a sign-in link, and shows it once. */
export async function makeLink(visit: FormVisit): Promise<Reply> {
  const { deps, form, session, request } = visit;
  const typed = form.get('name') ?? '';
  const read = parseShortText(typed, 'name');
  const role = form.get('role') ?? '';
  if ('problem' in read || !isRole(role)) {
    const problem = 'problem' in read ? asSentence(read.problem) : 'Choose a role.';
    const given = { name: typed.slice(0, 500), role: isRole(role) ? role : null };
    return peopleReply(visit, { problem, typed: given }, 400);
  }
  if (!(await deps.forms.isFirstSubmission(form.get('once') ?? ''))) return sentBefore(visit);
  const name = read.text;
  const { token, expiresMs } = await deps.sessions.createLink({ by: session.by, name, role });
  const link = signinLink(publicUrlFor(request, deps.settings.publicUrl), token);
  return ok(newSigninLink(visit, { link, name, role, expiresMs }));
}

/** Changes the role of a person. One owner always remains. */
export async function changeRole(visit: FormVisit): Promise<Reply> {
  const { deps, form, session, root } = visit;
  // Pages of versions from before 30 November 2026 call the person `name`. Such a page may be open during an upgrade.
  const [name, role] = [form.get('person') ?? form.get('name') ?? '', form.get('role') ?? ''];
  const person = (await deps.people.list()).find((one) => one.name === name);
  if (person === undefined || !isRole(role)) return noSuch(visit, 'person');
  const outcome =
    person.role === role && !person.isByClaim
      ? 'same'
      : await deps.people.changeRole({ name, role, by: session.by });
  if (outcome === 'last owner')
    return peopleReply(
      visit,
      { problem: 'One owner has to remain. Make somebody else owner first. Nothing was changed.' },
      400,
    );
  if (outcome === 'unknown') return noSuch(visit, 'person');
  return seeOther(`${root}admin/people?said=${outcome === 'same' ? 'same-role' : 'role'}`);
}

/** Ends a session. Everybody may end their own sessions, and owners those of others. */
export async function endSession(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, session, root } = visit;
  const found = (await deps.sessions.list()).find((one) => one.id === id);
  if (found === undefined) return noSuch(visit, 'session');
  if (found.name !== session.name && !mayActAs(session.role, 'owner')) return roleMissing(visit, 'owner');
  await deps.sessions.endById(id, session.by);
  return seeOther(`${root}admin/people?said=ended`);
}
