import { describe, expect, it } from 'vitest';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { consumerOver, failing, setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';
import type { StoreCall } from '../../doubles/memory-store.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });

describe('an event that is delivered again', () => {
  it('in other bytes that say the same counts a metric, and is not stored', async () => {
    const { consume, everything, telemetry, wait } = setUpConsumer();
    for (const message of [payment, payment, sent({ id: 'p', order: 'B' })]) await consume(message);
    expect(telemetry.metrics).toEqual([]);
    const before = everything();
    wait(3_600);
    expect(await consume(sent({ id: 'p', order: 'A', attempt: 2 }))).toEqual([]);
    expect(everything()).toBe(before);
    expect(telemetry.metrics).toEqual(['EventsRepeatedInOtherBytes']);
    expect(telemetry.lines.at(-1)?.fields['outcome']).toBe('duplicate');
  });

  it('in other bytes is the same event although its body has expired', async () => {
    const { consume, everything, row, tables } = setUpConsumer({ eventRetentionDays: 1 });
    await consume(payment);
    const { body: _, ...expired } = row('p');
    tables.events.set('live:event:p\nevent', expired);
    const before = everything();
    expect(await consume(sent({ id: 'p', order: 'A', attempt: 2 }))).toEqual([]);
    expect(everything()).toBe(before);
  });
});

describe('an event that another release read differently', () => {
  it('keeps its stored reading when it is delivered again, in the same or in other bytes', async () => {
    const { consume, everything, reread, wait } = setUpConsumer();
    await consume(payment, refund);
    const before = everything();
    reread('p', { orderId: 'B', amount: '1.00' });
    wait(3_600);
    expect(await consume(payment, sent({ id: 'p', order: 'A', attempt: 2 }))).toEqual([]);
    expect(everything()).toBe(before);
  });

  it('is completed with its stored reading', async () => {
    const { hooks, repair } = failing('merge');
    const { consume, reread, order, wait } = setUpConsumer(hooks);
    expect(await consume(payment)).toEqual(['p']);
    repair();
    reread('p', { orderId: 'B' });
    wait(30);
    expect(await consume(payment)).toEqual([]);
    expect([order('A')?.events, order('B')]).toEqual([['p'], undefined]);
  });

  it('takes other bodies under its id as this release reads both', async () => {
    const { consume, states, reread } = setUpConsumer();
    await consume(payment);
    reread('p', { amount: null });
    await consume(sent({ id: 'p', order: 'A', amount: '7.00' }));
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
  const stale = JSON.stringify(['order', 'paid', 'p', 'Z']);

  it('while another actor changes its rows at every attempt', async () => {
    const { hooks, repair } = failing('merge');
    const disturbed: { now?: () => void } = {};
    const { consume, row, order, tables, telemetry } = setUpConsumer({
      async gate(call) {
        await hooks.gate?.(call);
        if (call.name === 'commit') disturbed.now?.();
      },
    });
    await consume(payment);
    repair();
    disturbed.now = () =>
      tables.events.set('live:event:p\nevent', { ...row('p'), version: row('p').version + 1 });
    expect(await consume(payment, stranger)).toEqual(['p']);
    const fields = { message_id: 'p', reason: 'event_busy' };
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', fields });
    expect([order('A'), order('O')?.status]).toEqual([undefined, 'paid']);
  });

  it('while an event that it takes along is changed at every attempt', async () => {
    const { consume, row, tables, telemetry } = setUpConsumer({
      async gate({ name }) {
        if (name !== 'commit') return;
        tables.events.set('live:event:r\nevent', { ...row('r'), version: row('r').version + 1 });
      },
    });
    await consume(refund);
    expect(await consume(payment, stranger)).toEqual(['p']);
    const fields = { message_id: 'p', reason: 'event_busy' };
    expect(telemetry.lines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining(fields) }),
    );
  });

  it('while another consumer may still write what the repair takes away, for a minute', async () => {
    const { consume, entriesOf, tables, wait } = setUpConsumer();
    await consume(payment);
    const row = tables.transactions.get('live:transaction:T');
    tables.transactions.set('live:transaction:T', { version: 1, ...row, entries: [stale] });
    wait(59);
    expect(await consume(payment, stranger)).toEqual(['p']);
    expect(entriesOf('T')).toEqual([JSON.parse(stale)]);
    wait(1);
    expect(await consume(payment)).toEqual([]);
    expect(entriesOf('T')).toEqual([['order', 'paid', 'p', 'A']]);
  });
});

it('a repair that is larger than one transaction goes back to the queue, and the log says why', async () => {
  const { hooks, repair } = failing('merge');
  const { tables, settings, consume, telemetry } = setUpConsumer(hooks);
  await consume(payment);
  repair();
  const { store } = tables.open();
  const commit = async () => ({ kind: 'too_large' }) as const;
  const { batchItemFailures } = await consumerOver({ ...store, commit }, settings)(sqsEvent(payment));
  expect(batchItemFailures).toEqual([{ itemIdentifier: 'p' }]);
  const fields = { message_id: 'p', reason: 'event_too_large' };
  expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', fields });
});

it('a row that this version cannot read is left as it is, and the message is handled', async () => {
  const { tables, settings, telemetry } = setUpConsumer();
  const { store } = tables.open();
  const bodiesOf = async () => ({ kind: 'unreadable' }) as const;
  const consume = consumerOver({ ...store, bodiesOf }, settings);
  const { batchItemFailures } = await consume(sqsEvent(payment, payment));
  expect(batchItemFailures).toEqual([]);
  const fields = { event_id: 'p', reason: 'unreadable' };
  expect(telemetry.lines).toContainEqual({ level: 'error', message: 'event left as it is', fields });
});

it('an event that its order lacks is tried again, although its id has too many bodies for a repair', async () => {
  const { hooks, repair } = failing('merge');
  const { consume, order, telemetry } = setUpConsumer(hooks);
  for (let n = 0; n < 50; n += 1) await consume(sent({ id: 'p', order: `o${n}`, sandbox: true }));
  expect(await consume(payment)).toEqual(['p']);
  repair();
  expect([await consume(payment), order('A')]).toEqual([['p'], undefined]);
  expect(telemetry.lines.at(-1)?.fields).toMatchObject({ message_id: 'p', reason: 'event_busy' });
});

it('an event that a full order refused is done when it comes again, although its id has too many bodies', async () => {
  const { consume, row } = setUpConsumer({ fits: (_, facts) => facts.every((fact) => fact === fullFact) });
  await consume(payment);
  for (let n = 0; n < 50; n += 1) await consume(sent({ id: 'p', order: `o${n}`, sandbox: true }));
  expect([await consume(payment), row('p').waiting]).toEqual([[], 'order_refused']);
});
