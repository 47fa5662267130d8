import { expect, it } from 'vitest';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { ann, meanwhile, operatorAfter } from '../../doubles/operations.ts';

const second = sent({ id: 'p2', order: 'A', transaction: 'U' });
const note = sent({ id: 'n', action: 'note' });

it.each<[string, object, readonly ReturnType<typeof sent>[]]>([
  ['admit', { event_id: 'r', order_id: 'A' }, [refund]],
  ['dismiss', { event_id: 'r' }, [refund]],
  ['dismiss', { event_name: 'transaction.note' }, [note]],
  ['resolve', { order_id: 'A', sequence: 2 }, [payment, second]],
  ['erase', { event_id: 'p' }, [payment]],
])('of two operators who do the same, one changes it, and both see who did: %s %j', async (...given) => {
  const [name, fields, messages] = given;
  const { act, tables } = await operatorAfter(messages);
  const work = () => act(name, fields);
  const { status, body } = await act(name, fields, meanwhile(work));
  expect([status, body.changed, body.by]).toEqual([200, false, ann]);
  expect(new Set([...tables.acts.values()].map(({ by }) => by))).toEqual(new Set([ann]));
});

const toA = { event_id: 'r', order_id: 'A' };
const toB = { event_id: 'r', order_id: 'B' };
const third = sent({ id: 'p3', order: 'O', transaction: 'V' });
const admitted = /was admitted under the order "A" by \S+ann at 2026-11-21T12:/;
type Operator = Awaited<ReturnType<typeof operatorAfter>>;

it.each<[string, object, string, (operator: Operator) => Promise<unknown>, RegExp]>([
  ['admit', toB, 'another operator admits it to another order', ({ act }) => act('admit', toA), admitted],
  ['dismiss', { event_id: 'r' }, 'another operator admits it', ({ act }) => act('admit', toA), admitted],
  ['admit', toB, 'its payment takes it along', ({ consume }) => consume(payment), /applied to the order "A"/],
  [
    'resolve',
    { order_id: 'O', sequence: 1 },
    'a fact comes',
    ({ consume }) => consume(third),
    /the sequence 2 now/,
  ],
])('%s %j is refused when meanwhile %s', async (name, fields, _, work, detail) => {
  const operator = await operatorAfter([
    refund,
    sent({ id: 'o', order: 'O', action: 'refunded', transaction: 'V' }),
  ]);
  let after = '';
  const disturbed = meanwhile(async () => {
    await work(operator);
    after = operator.everything();
  });
  const { status, body } = await operator.act(name, fields, disturbed);
  expect([status, body.detail]).toEqual([409, expect.stringMatching(detail)]);
  expect(operator.everything()).toBe(after);
});

it('an act that meets a delivery is busy when it meets others at every attempt, and changes nothing', async () => {
  const { act, row, tables, states } = await operatorAfter([refund]);
  const gate = async ({ name }: StoreCall): Promise<void> => {
    if (name !== 'commit') return;
    tables.events.set('live:event:r\nevent', { ...row('r'), version: row('r').version + 1 });
  };
  const { status, body } = await act('dismiss', { event_id: 'r' }, { hooks: { gate } });
  expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 1]);
  expect([states('r'), tables.acts.size]).toEqual([{ event: 'unassigned, waits as unassigned' }, 0]);
});
