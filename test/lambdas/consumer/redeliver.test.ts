import { describe, expect, it, vi } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { consumerOver, delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

const inOtherBytes = sent({ id: 'p', order: 'A', attempt: 2 });

describe('an event that is delivered again', () => {
  it('in other bytes that say the same is a duplicate, and is not stored', async () => {
    const { deliver, everything, telemetry, wait } = await delivered([
      ...[payment, payment, sent({ id: 'p', order: 'B' })],
    ]);
    const before = everything();
    wait(3_600);
    await deliver(inOtherBytes);
    expect(everything()).toBe(before);
    expect(telemetry.lines.at(-1)?.fields['outcome']).toBe('duplicate');
  });

  it('takes other bodies under its id as this release reads both', async () => {
    const { deliver, states, reread } = await delivered([payment]);
    reread('p', { amount: null });
    await deliver(sent({ id: 'p', order: 'A', amount: '7.00' }));
    expect(states('p')).toEqual({ event: 'applied' });
  });
});

describe('a delivery that is interrupted', () => {
  const messages = [
    refund,
    payment,
    sent({ id: 'r2', action: 'refunded', amount: '1.00' }),
    sent({ id: 'p', order: 'B', transaction: 'U' }),
    sent({ id: 'n', action: 'settled', order: 'B' }),
    sent({ id: 'full', order: 'F', transaction: 'V' }),
    sent({ id: 'q', order: 'A', sandbox: true }),
  ];

  /** What all the messages leave, without counters, when the call with this number fails. */
  async function outcome(failingCall: number, when: 'gate' | 'after') {
    const calls: string[] = [];
    const { consume, everything } = setUpConsumer({
      eventRetentionDays: 30,
      fits: ({ id }, facts) => id !== 'F' || facts.every((fact) => fact === fullFact),
      async [when]({ name }: StoreCall) {
        if (calls.push(name) === failingCall) throw new Error('throttled');
      },
    });
    for (const message of messages)
      if ((await consume(message)).length > 0) expect(await consume(message)).toEqual([]);
    const counters = new Set(['version', 'sequence', 'joinedAt']);
    const left = JSON.parse(everything(), (name, value) => (counters.has(name) ? undefined : value));
    return { calls, left };
  }

  it('at any call, before or after it is carried out, is completed by the next one', async () => {
    const intact = await outcome(0, 'gate');
    const written = ['put', 'putBody', 'putEventName', 'join', 'merge', 'settle', 'expireBody', 'commit'];
    expect(intact.calls).toEqual(expect.arrayContaining(written));
    for (const when of ['gate', 'after'] as const)
      for (const [n, name] of intact.calls.entries())
        expect((await outcome(n + 1, when)).left, `${name} ${n}, ${when}`).toEqual(intact.left);
  });
});

describe('an event that is busy goes back to the queue, and the other records of the batch do not,', () => {
  const stranger = sent({ id: 'o', order: 'O', transaction: 'U' });
  const busy = { level: 'error', fields: { message_id: 'p', reason: 'event_busy' } };

  it.each([
    ['its rows', 'p', payment],
    ['an event that it takes along', 'r', refund],
  ])('while another actor changes %s at every attempt', async (_, id, first) => {
    const { consume, repair, row, order, tables, telemetry } = setUpConsumer({
      failing: 'merge',
      async gate({ name }) {
        if (name !== 'commit') return;
        tables.events.set(`live:event:${id}\nevent`, { ...row(id), version: row(id).version + 1 });
      },
    });
    await consume(first);
    repair();
    expect(await consume(payment, stranger)).toEqual(['p']);
    expect(telemetry.lines).toContainEqual(expect.objectContaining(busy));
    expect(order('O')?.status).toBe('paid');
  });
});

describe('a repair', () => {
  it('that finds its rows changed at every attempt makes eight, after longer and longer pauses', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const commit = async () => ({ kind: 'changed' }) as const;
    const { tables, settings } = await delivered([payment]);
    tables.orders.clear();
    await consumerOver({ ...tables.open().store, commit }, { ...settings, pause })(sqsEvent(payment));
    expect(pauses).toEqual([20, 40, 80, 160, 320, 640, 1_280]);
  });

  /** The payment is delivered again over a store with this call. */
  async function again({ tables, settings }: ReturnType<typeof setUpConsumer>, call: object) {
    const store = { ...tables.open().store, ...call };
    const { batchItemFailures } = await consumerOver(store, settings)(sqsEvent(payment));
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  it('that is larger than one transaction goes back to the queue, and the log says why', async () => {
    const consumer = await delivered([payment]);
    consumer.tables.orders.clear();
    expect(await again(consumer, { commit: async () => ({ kind: 'too_large' }) })).toEqual(['p']);
    const fields = { message_id: 'p', reason: 'event_too_large' };
    expect(consumer.telemetry.lines.at(-1)).toMatchObject({ level: 'error', fields });
  });

  it('of a row that this version cannot read leaves it as it is, and the message is handled', async () => {
    const consumer = await delivered([payment]);
    expect(await again(consumer, { bodiesOf: async () => ({ kind: 'unreadable' }) })).toEqual([]);
    const fields = { event_id: 'p', reason: 'unreadable' };
    expect(consumer.telemetry.lines.at(-1)).toEqual({
      level: 'error',
      message: 'event left as it is',
      fields,
    });
  });
});

describe('an event whose id has too many bodies for a repair', () => {
  const others = Array.from({ length: 50 }, (_, n) => sent({ id: 'p', order: `o${n}`, sandbox: true }));

  it('is tried again while its order lacks it', async () => {
    const { consume, deliver, repair, order, telemetry } = setUpConsumer({ failing: 'merge' });
    await deliver(...others);
    expect(await consume(payment)).toEqual(['p']);
    repair();
    expect([await consume(payment), order('A')]).toEqual([['p'], undefined]);
    expect(telemetry.lines.at(-1)?.fields).toMatchObject({ message_id: 'p', reason: 'event_busy' });
  });

  it('is done when it comes again, although a full order refused it', async () => {
    const fits = (_: unknown, facts: readonly string[]) => facts.every((fact) => fact === fullFact);
    const { row, rowsOf } = await delivered([payment, ...others, payment], { fits });
    expect([row('p').waiting, rowsOf('p').length]).toEqual(['order_refused', 51]);
  });
});
