import { describe, expect, it } from 'vitest';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { ann, bob, operatorAfter } from '../../doubles/operations.ts';

const second = sent({ id: 'p2', order: 'A', transaction: 'U' });
const note = sent({ id: 'n', action: 'note' });

/** The work of another actor, done in the moment before the first commit of a request. */
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
  it.each<[string, object, readonly ReturnType<typeof sent>[]]>([
    ['admit', { event_id: 'r', order_id: 'A' }, [refund]],
    ['dismiss', { event_id: 'r' }, [refund]],
    ['dismiss', { event_name: 'transaction.note' }, [note]],
    ['resolve', { order_id: 'A', sequence: 2 }, [payment, second]],
    ['erase', { event_id: 'p' }, [payment]],
  ])('who do the same, one changes it, and both see who did: %s %j', async (name, fields, messages) => {
    const { act, tables } = await operatorAfter(messages);
    const work = () => act(name, fields);
    const { status, body } = await act(name, fields, meanwhile(work));
    expect([status, body.changed, body.by]).toEqual([200, false, ann]);
    expect(new Set([...tables.acts.values()].map(({ by }) => by))).toEqual(new Set([ann]));
  });

  it('one admits an event, and the other is refused for another order with who and when', async () => {
    const { act, order } = await operatorAfter([refund]);
    const admit = () => act('admit', { event_id: 'r', order_id: 'A' });
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' }, meanwhile(admit));
    expect([status, order('A')?.events, order('B')]).toEqual([409, ['r'], undefined]);
    expect(body.detail).toMatch(
      /^The event "r" was admitted under the order "A" by \S+ann at 2026-11-21T12:/,
    );
  });

  it('one admits an event, and the dismissal of the other is refused', async () => {
    const { act, row } = await operatorAfter([refund]);
    const admit = () => act('admit', { event_id: 'r', order_id: 'A' });
    const { status, body } = await act('dismiss', { event_id: 'r' }, meanwhile(admit));
    expect([status, body.detail.includes(ann), row('r').judged?.verdict]).toEqual([409, true, 'admitted']);
  });
});

describe('an act that meets a delivery', () => {
  it('admits no refund to a second order when its payment has just taken it along', async () => {
    const { act, consume, order } = await operatorAfter([refund]);
    const deliver = () => consume(payment);
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' }, meanwhile(deliver));
    expect([status, order('B')]).toEqual([409, undefined]);
    expect(body.detail).toContain('it is applied to the order "A"');
  });

  it('resolves nothing that a new fact has changed meanwhile', async () => {
    const { act, consume, order } = await operatorAfter([payment, second]);
    const deliver = () => consume(sent({ id: 'p3', order: 'A', transaction: 'V' }));
    const { status } = await act('resolve', { order_id: 'A', sequence: 2 }, meanwhile(deliver));
    expect([status, order('A')?.attention]).toEqual([409, ['multiple_paid_transactions']]);
  });

  it('corrects a misread event whose refund has just arrived, once nobody is writing', async () => {
    const { act, consume, reread, order } = await operatorAfter([payment]);
    reread('p', { orderId: 'B' });
    const deliver = () => consume(refund);
    const { status, body } = await act('replay', { event_id: 'p' }, meanwhile(deliver));
    expect([status, body.title]).toEqual([409, 'Busy']);
    await act('replay', { event_id: 'p' });
    expect([order('A')?.events, order('B')?.events]).toEqual([[], ['p', 'r']]);
  });

  it('is busy when it meets others at every attempt, and changes nothing', async () => {
    const { act, row, tables, states } = await operatorAfter([refund]);
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
  const two = ['p2', 'p3'].map((id) => sent({ id, order: 'B', transaction: id }));
  const fail = async ({ name }: StoreCall): Promise<void> => {
    if (name === 'commit') throw new Error('throttled');
  };

  it.each<[string, object]>([
    ['admit', { event_id: 'r', order_id: 'A' }],
    ['dismiss', { event_id: 'r' }],
    ['dismiss', { event_name: 'transaction.note' }],
    ['erase', { event_id: 'n' }],
    ['replay', { event_id: 'n' }],
    ['resolve', { order_id: 'B', sequence: 2 }],
  ])('leaves no trace when it was not carried out, and its act when it was: %s %j', async (name, fields) => {
    const { act, reread, everything, tables } = await operatorAfter([
      refund,
      sent({ id: 'n', action: 'note', order: 'A', transaction: 'U' }),
      ...two,
    ]);
    reread('n', { orderId: 'C' });
    const before = everything();
    expect((await act(name, fields, { hooks: { gate: fail } })).status).toBe(500);
    expect(everything()).toBe(before);
    expect((await act(name, fields, { hooks: { after: fail } })).status).toBe(500);
    expect(tables.acts.size).toBeGreaterThan(0);
    expect((await act(name, fields)).body).toMatchObject({ changed: false });
  });
});
