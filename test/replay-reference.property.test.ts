import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { payloadPaths } from '../lambdas/domain/assumptions.ts';
import { moneyOf } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';

type Tables = ReturnType<typeof sharedTables>;
type Version = 1 | 2;

/** Version 1 reads order, transaction and amount in other places of a payload than version 2 does. */
function deploy(version: Version): void {
  const names = { orderId: 'order_id', transactionId: 'id', amount: 'amount' };
  for (const [field, name] of Object.entries(names))
    Object.assign(payloadPaths, { [field]: ['transaction', version === 1 ? `${name}_1` : name] });
}

afterEach(() => deploy(2));

/** What each version reads; mostly the same. */
const readings = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<readonly [T, T]> =>
  fc.oneof({ weight: 2, arbitrary: values.map((one) => [one, one] as const) }, fc.tuple(values, values));

const events = fc.record({
  action: fc.constantFrom('paid', 'paid', 'refunded', 'disputed', 'note'),
  order: readings(fc.constantFrom(null, 'A', 'B')),
  transaction: readings(fc.constantFrom('T', 'T', 'U', null)),
  amount: readings(fc.constantFrom('100.00', '1.00')),
});
type Event = typeof events extends fc.Arbitrary<infer T> ? T : never;

function bodyOf(id: string, { action, order, transaction, amount }: Event, attempt: number) {
  const read = {
    ...{ id_1: transaction[0], order_id_1: order[0], amount_1: amount[0] },
    ...{ id: transaction[1], order_id: order[1], amount: amount[1], currency: 'USD' },
  };
  const event = { id, event_name: `transaction.${action}`, sandbox: false, payload: { transaction: read } };
  return { body: Buffer.from(JSON.stringify({ ...event, attempt })), messageId: id };
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ deliver: fc.nat(3), attempt: fc.nat(1) }) },
  fc.record({ deploy: fc.constant(2) }),
  fc.record({ replay: fc.nat(3) }),
);
const histories = fc.record({
  events: fc.tuple(events, events, events, events),
  steps: fc.array(step, { minLength: 2, maxLength: 10 }),
});

it('a replay ends as if the version had read every event from the beginning', async () => {
  const property = fc.asyncProperty(histories, async (history) => {
    const [tables, reference] = [sharedTables(), sharedTables()];
    let version: Version = 1;
    for (const one of history.steps) {
      // An older version that reads a delivery after this one leaves facts of which no row knows.
      if ('deploy' in one) version = 2;
      deploy(version);
      if ('replay' in one) await tables.act('replay', { event_id: `e${one.replay}` });
      if (!('deliver' in one)) continue;
      const sent = bodyOf(`e${one.deliver}`, history.events[one.deliver] ?? history.events[0], one.attempt);
      await tables.consume(sent);
      deploy(2);
      await reference.consume(sent);
    }
    deploy(2);
    expect((await tables.act('replay', {})).status).toBe(200);
    expect(moneyOf(tables)).toEqual(moneyOf(reference));
    // Other bytes that an older version read differently wait as a conflict.
    const waiting = (all: Tables) =>
      all
        .waiting()
        .filter((key) => key.endsWith(' event'))
        .toSorted();
    expect(waiting(tables)).toEqual(waiting(reference));
    expect((await tables.act('replay', {})).changed).toBe(false);
  });
  await fc.assert(property, { numRuns: 120 });
});
