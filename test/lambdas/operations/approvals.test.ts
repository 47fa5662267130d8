import { describe, expect, it } from 'vitest';
import { actNames } from '../../../lambdas/contract/act-names.ts';
import { readApprovals } from '../../../lambdas/operations/approvals.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { ann, bob, meanwhile, operatorAfter, reason, type Sender } from '../../doubles/operations.ts';

const cat = 'arn:aws:iam::1:user/cat';
const note = sent({ id: 'n', action: 'note' });
const second = sent({ id: 'p2', order: 'A', transaction: 'U' });
const toA = { event_id: 'r', order_id: 'A' };

/** Operators of a stack on which every act needs two people. */
async function bank(...messages: readonly ReturnType<typeof sent>[]) {
  const operator = await operatorAfter(messages);
  for (const act of actNames) operator.approvals.add(act);
  const { post, send, tables, telemetry } = operator;
  const rows = () => JSON.stringify([tables.events, tables.orders, tables.names].map((map) => [...map]));
  return {
    ...operator,
    /** What an operator proposes; nothing of the money or the events changes. */
    async propose(act: string, fields: object, by = ann) {
      const before = rows();
      const { body } = await post(act, JSON.stringify({ reason, ...fields }), { by });
      expect(body).toMatchObject({ act, changed: false, dry_run: false, by, reason });
      expect(rows()).toBe(before);
      expect(telemetry.lines.at(-1)?.fields).toMatchObject({ act, changed: false });
      const { proposal_id: id, plan_sha256 } = body;
      return { id, plan_sha256 };
    },
    approve: (given: object, { by = bob, ...sender }: Sender = {}) =>
      post('approvals/approve', JSON.stringify({ reason: 'I agree', ...given }), { by, ...sender }),
    reject: (id: string, by = ann) =>
      post('approvals/reject', JSON.stringify({ id, reason: 'wrong' }), { by }),
    list: async (query: Record<string, string> = {}) =>
      (await send({ routeKey: 'GET /operations/approvals', queryStringParameters: query })).body,
  };
}

const acts: [string, object, readonly ReturnType<typeof sent>[]][] = [
  ['admit', toA, [refund]],
  ['dismiss', { event_id: 'r' }, [refund]],
  ['dismiss', { event_name: 'transaction.note' }, [note]],
  ['resolve', { order_id: 'A', sequence: 2 }, [payment, second]],
  ['replay', { event_id: 'p', publish: true }, [payment]],
  ['replay', { order_id: 'A', publish: true }, [payment, second]],
  ['replay', { publish: true }, [payment, second]],
  ['erase', { event_id: 'p' }, [payment]],
  ['erase', { order_id: 'A' }, [payment, second]],
];

describe.each(acts)('with two people, %s %j', (act, fields, messages) => {
  it('changes nothing until another identity approves it, and is then done once and recorded of both', async () => {
    const { propose, approve, list, everything, tables } = await bank(...messages);
    const proposal = await propose(act, fields);
    const before = everything();
    const own = await approve(proposal, { by: ann });
    expect([own.status, own.body.detail]).toEqual([
      409,
      expect.stringMatching(/is by you: another identity/),
    ]);
    expect(everything()).toBe(before);
    const { status, body } = await approve(proposal);
    expect([status, body]).toMatchObject([200, { act, changed: true, by: bob, reason: 'I agree' }]);
    const done = [...tables.acts.values()].filter((row) => row.act === act);
    expect(done.length).toBeGreaterThan(0);
    for (const row of done)
      expect(row).toMatchObject({
        by: bob,
        reason: 'I agree',
        proposal: { id: proposal.id, act, by: ann, reason },
      });
    expect((await list()).proposals).toEqual([]);
    const { proposals } = await list({ id: proposal.id });
    expect(proposals).toMatchObject([{ waits: false, approved: { by: bob, reason: 'I agree' } }]);
    const after = everything();
    for (const by of [bob, cat]) {
      const again = await approve(proposal, { by });
      expect([again.status, again.body]).toMatchObject([200, { changed: false, by: bob, orders: [] }]);
    }
    expect(everything()).toBe(after);
  });
});

describe('an approval', () => {
  it('shows the money before and after, and is for the plan that was seen', async () => {
    const { propose, approve, list } = await bank(refund);
    const { id, plan_sha256 } = await propose('admit', toA);
    const [proposal] = (await list()).proposals;
    const orders = [{ order_id: 'A', before: null, after: { status: 'refunded' } }];
    expect(proposal).toMatchObject({ id, act: 'admit', by: ann, reason, plan_sha256, orders, more: false });
    expect(proposal.request).toEqual({ mode: 'live', ...toA });
    expect((await approve({ id, dry_run: true })).body).toMatchObject({ changed: true, plan_sha256, orders });
    const { status, body } = await approve({ id, plan_sha256: 'ab'.repeat(32) });
    expect([status, body.parameter]).toEqual([400, 'plan_sha256']);
  });

  it.each([
    ['admit', { event_id: 'p', order_id: 'A' }, [sent({ id: 'p' })], [refund]],
    ['replay', { order_id: 'A', publish: true }, [payment], [second]],
  ] as const)('is refused when what the act would do has changed: %s %j', async (...given) => {
    const [act, fields, messages, later] = given;
    const { propose, approve, consume, everything, list } = await bank(...messages);
    const proposal = await propose(act, fields);
    await consume(...later);
    const before = everything();
    const { status, body } = await approve(proposal);
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/has changed since it was proposed/)]);
    expect(everything()).toBe(before);
    const now = await approve({ id: proposal.id, dry_run: true });
    expect(now.body.plan_sha256).not.toBe(proposal.plan_sha256);
    expect((await list()).proposals).toMatchObject([{ id: proposal.id, waits: true }]);
  });

  it('is refused when a fact arrives between its plan and its commit', async () => {
    const { propose, approve, consume, order } = await bank(sent({ id: 'p' }));
    const proposal = await propose('admit', { event_id: 'p', order_id: 'A' });
    const { status, body } = await approve(
      proposal,
      meanwhile(() => consume(refund)),
    );
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/has changed since it was proposed/)]);
    expect(order('A')).toBeUndefined();
  });

  it('of another mode, of no proposal, or after seven days is refused', async () => {
    const { propose, approve, wait, list, reject } = await bank(refund);
    const proposal = await propose('admit', toA);
    expect((await approve({ ...proposal, mode: 'sandbox' })).status).toBe(404);
    expect((await approve({ ...proposal, id: 'nope' })).status).toBe(404);
    wait(7 * 24 * 3_600);
    const { status, body } = await approve(proposal);
    expect([status, body.detail]).toEqual([
      409,
      expect.stringMatching(/has expired at 2026-11-28T11:00:01.000Z/),
    ]);
    expect((await list()).proposals).toHaveLength(1);
    const again = await propose('admit', toA);
    expect(again.id).not.toBe(proposal.id);
    expect((await reject(proposal.id)).body.waits).toBe(false);
    expect((await approve(again)).body.changed).toBe(true);
  });

  it('is refused with other meanings than those of the plan', async () => {
    const { propose, approve, setMeanings } = await bank(payment, note);
    const proposal = await propose('replay', { publish: true });
    setMeanings({ 'transaction.note': 'refunded' });
    const { status, body } = await approve(proposal);
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/other eventMeanings/)]);
  });

  it.each<[string, object, readonly ReturnType<typeof sent>[]]>([
    ['admit', toA, [refund]],
    ['erase', { order_id: 'A' }, [payment]],
  ])('of two at the same time, one wins: %s %j', async (act, fields, messages) => {
    const { propose, approve, tables } = await bank(...messages);
    const proposal = await propose(act, fields);
    const other = meanwhile(async () =>
      expect((await approve(proposal, { by: cat })).body.changed).toBe(true),
    );
    const { status, body } = await approve(proposal, other);
    if (status === 409) expect(body.title).toBe('Busy');
    else expect(body).toMatchObject({ changed: false, by: cat });
    expect([...tables.acts.values()].filter((row) => row.act === act).map(({ by }) => by)).not.toContain(bob);
  });
});

describe('a proposal', () => {
  it('is one, however often and by whom the same is proposed', async () => {
    const { post, propose, list } = await bank(refund);
    const { id } = await propose('admit', toA);
    const { body } = await post('admit', JSON.stringify({ ...toA, reason: 'me too' }), { by: bob });
    expect(body).toMatchObject({ proposal_id: id, by: ann, reason });
    expect((await list()).proposals).toHaveLength(1);
  });

  it('ends with a rejection, also by the identity that proposed it, and cannot be approved after it', async () => {
    const { propose, approve, reject, actsAt, everything } = await bank(refund);
    const proposal = await propose('admit', toA);
    const { body } = await reject(proposal.id);
    expect(body).toMatchObject({ waits: false, approved: null, rejected: { by: ann, reason: 'wrong' } });
    const before = everything();
    expect((await reject(proposal.id, bob)).body.rejected.by).toBe(ann);
    const late = await approve(proposal);
    expect([late.status, late.body.detail]).toEqual([409, expect.stringMatching(/was rejected by \S+ann/)]);
    expect(everything()).toBe(before);
    const origin = { id: proposal.id, act: 'admit', by: ann, reason };
    expect(await actsAt('live:event:r')).toMatchObject([
      { act: 'propose', by: ann, reason, proposal: origin },
      { act: 'reject', by: ann, reason: 'wrong', proposal: origin },
    ]);
  });

  it('is not stored for a dry run, for an act without effect, or for one that is refused', async () => {
    const { post, list } = await bank(payment);
    const requests = [
      ['admit', { event_id: 'p' }],
      ['replay', { event_id: 'p' }],
      ['admit', { event_id: 'nope' }],
      ['erase', { event_id: 'p', dry_run: true }],
    ] as const;
    for (const [act, fields] of requests) await post(act, JSON.stringify({ reason, ...fields }));
    expect((await list()).proposals).toEqual([]);
  });

  it('shows as many orders as a row takes, and that there are more', async () => {
    const many = Array.from({ length: 90 }, (_, n) =>
      sent({ id: `p${n}`, order: `order ${n} ${'x'.repeat(900)}`, transaction: `t${n}${'y'.repeat(200)}` }),
    );
    const { propose, approve, list } = await bank(...many);
    const proposal = await propose('replay', { publish: true });
    const [{ orders, more }] = (await list()).proposals;
    expect([orders.length < 90, orders.length > 10, more]).toEqual([true, true, true]);
    expect((await approve({ id: proposal.id, dry_run: true })).body.orders).toHaveLength(90);
  });
});

describe('an act in pages', () => {
  const events = ['a', 'b', 'c'].map((id) => sent({ id, order: id.toUpperCase(), transaction: `t${id}` }));
  const readAs = { amount: '1.00' };
  /** A replay of three events, of which the first page has one. */
  async function approved() {
    const stack = await bank(...events);
    for (const id of ['a', 'b', 'c']) stack.reread(id, readAs);
    const { id, plan_sha256 } = await stack.propose('replay', {});
    const first = await stack.approve({ id, plan_sha256, limit: 1 });
    return { ...stack, id, plan_sha256, first, cursor: first.body.next_cursor };
  }

  it('is approved once, done page by page by either of the two, and ends with the last page', async () => {
    const { id, plan_sha256, first, cursor, approve, list, tables } = await approved();
    expect(first.body).toMatchObject({ changed: true, replayed: 1, by: bob });
    expect((await list()).proposals).toMatchObject([{ waits: true, approved: { by: bob } }]);
    const other = await approve({ id, plan_sha256, cursor }, { by: cat });
    expect([other.status, other.body.detail]).toEqual([
      409,
      expect.stringMatching(/is being carried out by \S+bob/),
    ]);
    const last = await approve({ id, plan_sha256, cursor }, { by: ann });
    expect(last.body).toMatchObject({ replayed: 2, next_cursor: null, by: bob });
    expect((await list()).proposals).toEqual([]);
    const recorded = [...tables.acts.values()].map(({ act, by }) => `${act} ${by.split('/')[1]}`);
    expect([...new Set(recorded)]).toEqual(['propose ann', 'approve bob', 'replay bob']);
  });

  it('does not go beyond the time that was approved, whatever its cursor names', async () => {
    const { propose, approve, reread, everything } = await bank(...events);
    for (const id of ['a', 'b', 'c']) reread(id, readAs);
    const { id, plan_sha256 } = await propose('replay', { until: '2026-11-21T10:00:02Z' });
    const { body } = await approve({ id, plan_sha256, limit: 1 });
    const run = JSON.parse(Buffer.from(body.next_cursor, 'base64url').toString());
    const wider = Buffer.from(JSON.stringify({ ...run, until: null })).toString('base64url');
    const before = everything();
    const refused = await approve({ id, plan_sha256, cursor: wider });
    expect([refused.status, refused.body.parameter]).toEqual([400, 'cursor']);
    expect(everything()).toBe(before);
  });

  it('is proposed from its beginning', async () => {
    const { cursor, post } = await approved();
    const { status, body } = await post('replay', JSON.stringify({ reason, cursor }));
    expect([status, body.parameter]).toEqual([400, 'cursor']);
  });
});

it('an act that the setting does not name needs one person', async () => {
  const operator = await operatorAfter([refund]);
  operator.approvals.add('erase');
  const { body } = await operator.act('admit', toA);
  expect(body).toMatchObject({ changed: true, proposal_id: null });
});

it('the variable APPROVALS lists acts, and nothing else', () => {
  expect([...readApprovals('admit,erase')]).toEqual(['admit', 'erase']);
  expect([...readApprovals(undefined)]).toEqual([]);
  expect(() => readApprovals('admit,all')).toThrow();
});
