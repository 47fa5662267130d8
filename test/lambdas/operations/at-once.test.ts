import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { ann, bob, setUpOperator } from '../../doubles/operations.ts';

const sent = (fields: EventFields) => ({ body: eventBody(fields) });
const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });

/** The work of another operator, done in the moment before the first commit of a request. */
function meanwhile(work: () => Promise<unknown>) {
  let isDone = false;
  const gate = async ({ name }: StoreCall): Promise<void> => {
    if (name !== 'commit' || isDone) return;
    isDone = true;
    await work();
  };
  return { by: bob, hooks: { gate } };
}

describe('of two operators at once', () => {
  it('one admits an event, and the other is refused for another order with who and when', async () => {
    const { act, consume, order } = setUpOperator();
    await consume(refund);
    const first = { event_id: 'r', order_id: 'A' };
    const { status, body } = await act(
      'admit',
      { event_id: 'r', order_id: 'B' },
      meanwhile(() => act('admit', first)),
    );
    expect([status, order('A')?.events, order('B')]).toEqual([409, ['r'], undefined]);
    expect(body.detail).toMatch(
      /^The event "r" was admitted under the order "A" by \S+ann at 2026-11-21T12:/,
    );
  });

  it('who admit it to one order, one changes it, and both see who did', async () => {
    const { act, consume, order, actsAt } = setUpOperator();
    await consume(refund);
    const fields = { event_id: 'r', order_id: 'A' };
    const { status, body } = await act(
      'admit',
      fields,
      meanwhile(() => act('admit', fields)),
    );
    expect([status, body.changed, body.by, order('A')?.sequence]).toEqual([200, false, ann, 1]);
    expect(await actsAt('live:event:r')).toHaveLength(1);
  });

  it('one admits an event, and the dismissal of the other is refused', async () => {
    const { act, consume, row } = setUpOperator();
    await consume(refund);
    const admit = () => act('admit', { event_id: 'r', order_id: 'A' });
    const { status, body } = await act('dismiss', { event_id: 'r' }, meanwhile(admit));
    expect([status, body.detail.includes(ann), row('r').judged?.verdict]).toEqual([409, true, 'admitted']);
  });

  it.each<[string, object, readonly { readonly body: Uint8Array }[]]>([
    ['an event', { event_id: 'r' }, [refund]],
    ['a name', { event_name: 'transaction.note' }, [sent({ id: 'n', action: 'note' })]],
  ])('who dismiss %s, one does, and both see who did', async (_, fields, messages) => {
    const { act, consume, tables } = setUpOperator();
    await consume(...messages);
    const { status, body } = await act(
      'dismiss',
      fields,
      meanwhile(() => act('dismiss', fields)),
    );
    expect([status, body.changed, body.by]).toEqual([200, false, ann]);
    expect(tables.acts.size).toBe(1);
  });

  it('one resolves what the other saw, and both see who did', async () => {
    const { act, consume, tables } = setUpOperator();
    await consume(payment, sent({ id: 'p2', order: 'A', transaction: 'U' }));
    const fields = { order_id: 'A', sequence: 2 };
    const { status, body } = await act(
      'resolve',
      fields,
      meanwhile(() => act('resolve', fields)),
    );
    expect([status, body.changed, body.by, tables.acts.size]).toEqual([200, false, ann, 1]);
  });

  it('one erases an event, and both see who did', async () => {
    const { act, consume, tables } = setUpOperator();
    await consume(payment);
    const fields = { event_id: 'p' };
    const { status, body } = await act(
      'erase',
      fields,
      meanwhile(() => act('erase', fields)),
    );
    expect([status, body.changed, body.by, body.erased, tables.acts.size]).toEqual([200, false, ann, [], 1]);
  });

  it('one corrects a misread event', async () => {
    const { act, consume, reread, order, tables } = setUpOperator();
    await consume(payment, refund);
    reread('p', { orderId: 'B' });
    const fields = { event_id: 'p' };
    const { body } = await act(
      'replay',
      fields,
      meanwhile(() => act('replay', fields)),
    );
    expect([body.changed, tables.acts.size / 3]).toEqual([false, 1]);
    expect([order('A')?.sequence, order('B')]).toMatchObject([3, { events: ['p', 'r'], sequence: 1 }]);
  });
});

describe('an act that meets a delivery', () => {
  it('admits no refund to a second order when its payment has just taken it along', async () => {
    const { act, consume, order } = setUpOperator();
    await consume(refund);
    const fields = { event_id: 'r', order_id: 'B' };
    const { status, body } = await act(
      'admit',
      fields,
      meanwhile(() => consume(payment)),
    );
    expect([status, order('B')]).toEqual([409, undefined]);
    expect(body.detail).toContain('it is applied to the order "A"');
  });

  it('resolves nothing that a new fact has changed meanwhile', async () => {
    const { act, consume, order } = setUpOperator();
    await consume(payment, sent({ id: 'p2', order: 'A', transaction: 'U' }));
    const third = sent({ id: 'p3', order: 'A', transaction: 'V' });
    const { status } = await act(
      'resolve',
      { order_id: 'A', sequence: 2 },
      meanwhile(() => consume(third)),
    );
    expect([status, order('A')?.attention]).toEqual([409, ['multiple_paid_transactions']]);
  });

  it('corrects a misread event whose refund has just arrived, once nobody is writing', async () => {
    const { act, consume, reread, order } = setUpOperator();
    await consume(payment);
    reread('p', { orderId: 'B' });
    const replay = await act(
      'replay',
      { event_id: 'p' },
      meanwhile(() => consume(refund)),
    );
    expect([replay.status, replay.body.title]).toEqual([409, 'Busy']);
    await act('replay', { event_id: 'p' });
    expect([order('A')?.events, order('B')?.events]).toEqual([[], ['p', 'r']]);
  });

  it('is busy when it meets others at every attempt, and changes nothing', async () => {
    const { act, consume, row, tables, states } = setUpOperator();
    await consume(refund);
    const gate = async ({ name }: StoreCall): Promise<void> => {
      if (name !== 'commit') return;
      tables.events.set('live:event:r\nevent', { ...row('r'), version: row('r').version + 1 });
    };
    const { status, body } = await act('dismiss', { event_id: 'r' }, { hooks: { gate } });
    expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 1]);
    expect([states('r'), tables.acts.size]).toEqual([{ event: 'unassigned, waits as unassigned' }, 0]);
  });
});

describe('a request whose commit fails', () => {
  const acts: [string, object][] = [
    ['admit', { event_id: 'r', order_id: 'A' }],
    ['dismiss', { event_id: 'r' }],
    ['dismiss', { event_name: 'transaction.note' }],
    ['erase', { event_id: 'n' }],
    ['replay', { event_id: 'n' }],
    ['resolve', { order_id: 'B', sequence: 2 }],
  ];
  const two = ['p2', 'p3'].map((id) => sent({ id, order: 'B', transaction: id }));

  async function setUp() {
    const operator = setUpOperator();
    await operator.consume(refund, sent({ id: 'n', action: 'note', order: 'A', transaction: 'U' }), ...two);
    operator.reread('n', { orderId: 'C' });
    return operator;
  }
  const fail = async ({ name }: StoreCall): Promise<void> => {
    if (name === 'commit') throw new Error('throttled');
  };

  it.each(acts)(
    'before it is carried out leaves no trace, and succeeds later: %s %j',
    async (name, fields) => {
      const { act, everything, tables } = await setUp();
      const before = everything();
      expect((await act(name, fields, { hooks: { gate: fail } })).status).toBe(500);
      expect(everything()).toBe(before);
      expect((await act(name, fields)).body).toMatchObject({ changed: true });
      expect(tables.acts.size).toBeGreaterThan(0);
    },
  );

  it.each(acts)(
    'after it was carried out has its act, and is not done twice: %s %j',
    async (name, fields) => {
      const { act, everything, tables } = await setUp();
      expect((await act(name, fields, { hooks: { after: fail } })).status).toBe(500);
      expect(tables.acts.size).toBeGreaterThan(0);
      const before = everything();
      expect((await act(name, fields)).body).toMatchObject({ changed: false });
      expect(everything()).toBe(before);
    },
  );
});
