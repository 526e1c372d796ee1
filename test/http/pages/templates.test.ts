// The team's pages show counts, states, times and differences of their data.

import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../src/access/audit.ts';
import type { InviteInfo } from '../../../src/access/invites/inviteRecords.ts';
import type { KeyInfo } from '../../../src/access/keys/keyRecords.ts';
import type { AnyManifest, DatasetManifest } from '../../../src/catalog/manifest.ts';
import { entryTable } from '../../../src/http/pages/templates/auditPage.ts';
import { dataTable } from '../../../src/http/pages/templates/dataTable.ts';
import { differencePage } from '../../../src/http/pages/templates/differencePage.ts';
import { inviteForm, inviteList } from '../../../src/http/pages/templates/invitePages.ts';
import { type KeyView, keyPage } from '../../../src/http/pages/templates/keyPages.ts';
import { refusal } from '../../../src/http/pages/templates/message.ts';
import { type MonthEvent, monthsPage } from '../../../src/http/pages/templates/monthsPage.ts';
import { peoplePage } from '../../../src/http/pages/templates/peoplePages.ts';
import { confirmRevocations } from '../../../src/http/pages/templates/revokePage.ts';
import { paging, usageBar } from '../../../src/http/pages/templates/teamPage.ts';
import { type Html, html } from '../../../src/text/html.ts';

const VISIT = { person: { name: 'Olga', role: 'manager' }, root: '', csrf: '' } as const;
const [CREATED, USED] = [Date.UTC(2026, 9, 1, 8), Date.UTC(2026, 10, 29, 9, 5)];
const ONE_PAGE = { page: 1, pages: 1, to: String, filters: {} };

/** The text of markup, with a space in place of each tag. */
const textOf = (shown: Html | null) => inText(shown?.markup ?? '');

const inText = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of each row of the tables in markup, as text. */
const rowsOf = ({ markup }: Html) =>
  [...markup.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd] .*?<\/t[hd]>/gs)].map(([cell]) => inText(cell)),
  );

const aKey = (own: Partial<KeyInfo> = {}): KeyInfo => ({
  id: 'k1',
  label: 'Acme',
  state: 'active',
  last4: 'abcd',
  createdMs: CREATED,
  expiresMs: null,
  plannedEndMs: null,
  endedMs: null,
  usedMs: null,
  dayUse: 0,
  dayUseFallsMs: null,
  note: null,
  perMinute: null,
  perDay: null,
  ...own,
});

const aView = (own: Partial<KeyView> = {}): KeyView => ({
  key: aKey(),
  days: [],
  lastDay: '2026-11-29',
  minuteUse: 0,
  acts: [],
  defaults: { perMinute: 100, perDay: 1000 },
  confirmation: null,
  problem: null,
  typed: null,
  once: '',
  ...own,
});

it('a list of keys to revoke has the last use of each, and how many were used', () => {
  const keys = [aKey(), aKey({ id: 'k2', usedMs: USED, dayUse: 7 })];
  const { main } = confirmRevocations(VISIT, { keys, once: '', isUnticked: false });
  expect(rowsOf(main)).toEqual([
    ['Key', 'Last use (UTC)', 'Last 24 hours'],
    ['Acme … abcd · k1', 'never', '0'],
    ['Acme … abcd · k2', '29 Nov 2026, 09:05', '7'],
  ]);
  expect(textOf(main)).toContain('1 of them made requests in the last 24 hours.');
});

it('a bar shows any use, and is full from the limit on', () => {
  const barOf = (count: number) => {
    const { markup } = usageBar(count, 200);
    return [/class="bar( full)?"/.exec(markup)?.[1] ?? '', /"filled" width="([\d.]+)"/.exec(markup)?.[1]];
  };
  expect([0, 1, 50, 199, 200, 300].map(barOf)).toEqual([
    ['', '0.0'],
    ['', '1.5'],
    ['', '25.0'],
    ['', '99.5'],
    [' full', '100.0'],
    [' full', '100.0'],
  ]);
});

it('a page of a list links to the pages before and after it, as far as there are any', () => {
  const linksOf = (page: number, pages: number) => textOf(paging({ ...ONE_PAGE, page, pages }));
  expect([linksOf(1, 1), linksOf(1, 2), linksOf(2, 3), linksOf(3, 3)]).toEqual([
    '',
    'Page 1 of 2 Next',
    'Previous Page 2 of 3 Next',
    'Previous Page 3 of 3',
  ]);
  expect(linksOf(4, 4)).toContain('Go to page');
});

describe('the page of a key', () => {
  it('says which limits are its own', () => {
    const text = textOf(keyPage(VISIT, aView({ key: aKey({ perDay: 5000 }) })).main);
    expect(text).toMatch(/0 of 100 the server’s default .* 0 of 5,000 a limit of its own/);
  });

  it('has its last use and the sum of what was refused', () => {
    const days = [
      { date: '2026-11-29', requests: 4, refused: 2 },
      { date: '2026-11-28', requests: 8, refused: 0 },
    ];
    const text = textOf(keyPage(VISIT, aView({ key: aKey({ usedMs: USED }), days })).main);
    expect(text).toContain('Last use 29 November 2026, 09:05 UTC');
    expect(text).toContain('Refused in the last 31 days 2 ');
    expect(text).toContain('The most on one day: 8, on 2026-11-28.');
    expect(textOf(keyPage(VISIT, aView()).main)).toContain(
      'Created 1 October 2026, 08:00 UTC Last use never',
    );
    const damaged = aKey({ state: 'damaged', createdMs: 0 });
    expect(textOf(keyPage(VISIT, aView({ key: damaged })).main)).toContain(
      'Created unknown Last use unknown',
    );
  });

  it('has columns as high as their requests, with those refused on top', () => {
    const days = [
      { date: '2026-11-29', requests: 4, refused: 2 },
      { date: '2026-11-28', requests: 8, refused: 0 },
    ];
    const columns = [
      ...keyPage(VISIT, aView({ days })).main.markup.matchAll(
        /<rect( class="refused")? x="(\d+)" y="([\d.]+)" width="8" height="([\d.]+)"/g,
      ),
    ].map(([, refused, ...numbers]) => [refused !== undefined, ...numbers.map(Number)]);
    expect(columns).toEqual([
      [false, 291, 0, 100],
      [true, 301, 25, 25],
      [false, 301, 50, 50],
    ]);
  });

  it('says what is wrong with a form in that form', () => {
    const problem = { form: 'limits', text: 'No number.' } as const;
    const { markup } = keyPage(VISIT, aView({ problem, typed: { perMinute: 'ten', perDay: '5' } })).main;
    expect(markup).toContain('id="limits-problem" role="alert">No number.');
    expect(markup).toContain('value="ten" aria-invalid="true"');
    expect(markup).not.toContain('revoke-problem');
  });
});

describe('invites', () => {
  const anInvite = (own: Partial<InviteInfo>): InviteInfo => ({
    id: 'i1',
    label: 'Acme',
    state: 'open',
    createdMs: CREATED,
    expiresMs: USED,
    claimedMs: null,
    keyId: null,
    ...own,
  });

  it('have their times, but for those that nobody knows', () => {
    const invites = [
      anInvite({}),
      anInvite({ id: 'i2', label: '', state: 'damaged', createdMs: 0, expiresMs: 0 }),
    ];
    const form = { once: '', label: '', problem: null };
    const { main } = inviteList(VISIT, { invites, paging: ONE_PAGE, form, confirmation: null });
    expect(rowsOf(main).map((cells) => cells.slice(0, 4))).toEqual([
      ['Invite', 'State', 'Created (UTC)', 'Works until (UTC)'],
      ['Acme i1', 'Open', '1 Oct 2026, 08:00', '29 Nov 2026, 09:05'],
      ['i2', 'Damaged', 'unknown', 'unknown'],
    ]);
  });

  it('have a form whose further fields are open where something was typed into them', () => {
    const form = { once: '', label: '', problem: null };
    const more = { people: '', perMinute: '5', perDay: '', ends: '', note: '' };
    expect(inviteForm(VISIT, form).markup).toContain('<details class="more"><summary>');
    expect(inviteForm(VISIT, { ...form, more }).markup).toContain('<details class="more" open><summary>');
  });
});

describe('the difference of two snapshots', () => {
  const aDataset = (own: object): DatasetManifest =>
    ({
      rows: 10,
      fingerprint: 'a',
      years: [2020, 2024],
      metrics: {},
      dimensions: {},
      ...own,
    }) as DatasetManifest;
  const ofDatasets = (id: string, fx: object, sources: object[] = []) =>
    ({ id, fingerprint: id, datasets: { fx: aDataset(fx) }, sources }) as unknown as AnyManifest;
  const countries = (...values: string[]) => ({ country: values.map((value) => ({ value, rows: 1 })) });

  it('has rows, missing values where they differ, years, and the values of dimensions that came and went', () => {
    const metrics = (nulls: number) => ({ fx_current_usd: { nulls }, fx_current_eur: { nulls: 1 } });
    const before = ofDatasets('2026-10.1', { metrics: metrics(3), dimensions: countries('Malta', 'Spain') });
    const after = ofDatasets('2026-11.1', {
      fingerprint: 'b',
      rows: 11,
      years: [2020, 2025],
      metrics: metrics(1),
      dimensions: countries('Malta', 'France', ''),
    });
    const { main } = differencePage(VISIT, { before, after, headline: null });
    expect(rowsOf(main)).toEqual([
      ['What', 'Before', 'After', 'Difference'],
      ['Rows', '10', '11', '+1'],
      ['fx_current_usd: missing values', '3', '1', '−2'],
      ['Years', '2020 to 2024', '2020 to 2025', ''],
    ]);
    expect(textOf(main)).toContain('country new: France, (empty); gone: Spain');
    const came = ofDatasets('2026-11.2', {
      fingerprint: 'c',
      dimensions: countries('Malta', 'Spain', 'Italy'),
    });
    const onlyNew = differencePage(VISIT, { before, after: came, headline: null }).main;
    expect(textOf(onlyNew)).toContain('country new: Italy Sources');
    expect(rowsOf(onlyNew)[1]).toEqual(['Rows', '10', '10', '±0']);
    const onlyGone = differencePage(VISIT, { before: came, after: before, headline: null }).main;
    expect(textOf(onlyGone)).toContain('country gone: Italy Sources');
  });

  it('says of each source whether it is new, changed, the same or gone', () => {
    const file = (name: string, sha256: string) => ({ file: name, sha256 });
    const before = ofDatasets('2026-10.1', {}, [file('a.csv', '1'), file('b.csv', '1'), file('c.csv', '1')]);
    const after = ofDatasets('2026-11.1', {}, [file('a.csv', '1'), file('b.csv', '2'), file('d.csv', '1')]);
    expect(textOf(differencePage(VISIT, { before, after, headline: null }).main)).toMatch(
      /Sources a\.csv: the same file b\.csv: changed d\.csv: new c\.csv: gone$/,
    );
  });
});

it('a person may end own sessions only, and sees whose role an account names', () => {
  const terms = { role: 'viewer', invitedBy: 'Olga', beganMs: CREATED, endsMs: USED } as const;
  const sessions = ['Olga', 'Vera'].map((name) => ({ ...terms, id: name, name }));
  const people = [
    { name: 'Olga', role: 'manager', isByClaim: true },
    { name: 'Vera', role: 'viewer', isByClaim: false },
  ] as const;
  const view = { people, sessions, ownSession: '', confirmation: null, problem: null, typed: null, once: '' };
  const rows = rowsOf(peoplePage(VISIT, view).main);
  expect(rows.slice(1, 3)).toEqual([
    ['Olga', 'manager named by your organisation’s account'],
    ['Vera', 'viewer'],
  ]);
  expect(rows.slice(-2).map((cells) => (cells.at(-1) ?? '').slice(0, 3))).toEqual(['End', '–']);
});

it('the audit log names acts and details in words', () => {
  const entry = (own: Partial<AuditEntry>): AuditEntry =>
    ({ entry: '1-0', atMs: CREATED, by: 'Olga', act: 'revoke', details: {}, ...own }) as AuditEntry;
  const entries = [
    entry({}),
    entry({ act: 'rotate', details: { newKeyId: 'k2', graceSeconds: '5400' } }),
    entry({ act: 'invite', details: { endsAfterMs: '864000000', other: '5' } }),
  ];
  expect(rowsOf(entryTable(VISIT, entries)).map((cells) => [cells[2], cells[4]])).toEqual([
    ['What', 'Details'],
    ['Revoked a key', ''],
    ['Rotated a key', 'new key k2 old key ends 1.5 h later'],
    ['Invited', 'key ends after 10 days other 5'],
  ]);
});

it('the months name their sources by the beginning of the digest', () => {
  const sources = [{ file: 'ggr.csv', bytes: 1234, sha256: '0123456789abcdef' }];
  const verdict = {
    headline: 'All is well.',
    warnings: 2,
    isCompared: true,
    accepted: [],
    sources,
    hasReport: true,
  };
  const event = {
    event: 'published',
    id: '2026-11.1',
    at: '2026-11-29T09:05:00Z',
    isRetained: true,
    verdict,
  };
  const view = { events: [event as unknown as MonthEvent], current: null, retained: [], paging: ONE_PAGE };
  const { main } = monthsPage(VISIT, view);
  expect(rowsOf(main)[1]?.[4]).toBe(
    '2 warnings All is well. Report of 2026-11.1 1 source of 2026-11.1 ggr.csv, 1,234 bytes, 0123456789ab…',
  );
});

it('an error after a form was sent says that the form may have taken effect', () => {
  const saysSo = (status: number, isForm: boolean) =>
    refusal({ status, isForm, retryAfterSeconds: 1, typed: '' }).main.markup.includes(
      'Whether the form took effect is not known.',
    );
  expect([saysSo(500, true), saysSo(503, true), saysSo(500, false), saysSo(404, true)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('a table is compact where that is asked', () => {
  const shown = { label: 'x', headings: ['a'], rows: [], cells: () => html`` };
  const openingOf = (isCompact: boolean) => /<table.*?>/.exec(dataTable({ ...shown, isCompact }).markup)?.[0];
  expect(openingOf(true)).toBe('<table role="table" aria-label="x" class="compact">');
  expect(openingOf(false)).toBe('<table role="table" aria-label="x">');
});
