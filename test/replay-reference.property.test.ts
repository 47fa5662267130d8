import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { payloadPaths } from '../lambdas/domain/assumptions.ts';
import { moneyOf } from './doubles/misread.ts';
import { sha256 } from './doubles/older-parser.ts';
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
/** Of each version what it reads. */
type Readings = readonly [string | null, string | null];
type Event = Readonly<Record<'order' | 'transaction' | 'amount', Readings>> & { readonly action: string };

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

/** The events that wait. Other bytes that an older version read differently wait as a conflict. */
const waitingIn = (tables: Tables) =>
  tables
    .waiting()
    .filter((key) => key.endsWith(' event'))
    .toSorted();

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
    expect(waitingIn(tables)).toEqual(waitingIn(reference));
    expect((await tables.act('replay', {})).changed).toBe(false);
    expect([await tables.differences(), await reference.differences()]).toEqual([[], []]);
  });
  await fc.assert(property, { numRuns: 120 });
});

const conflicts = fc.record({
  action: fc.constantFrom('paid', 'paid', 'refunded'),
  order: fc.tuple(fc.constantFrom('A', 'C'), fc.constantFrom('B', 'C')),
  transaction: readings(fc.constantFrom('T', 'T', 'U')),
  amount: readings(fc.constantFrom('7.00', '8.00')),
});
const conflictHistories = fc.record({
  events: fc.tuple(events, events, events, events),
  conflicts: fc.tuple(conflicts, conflicts, conflicts, conflicts),
  steps: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ deliver: fc.nat(3), attempt: fc.nat(1) }) },
      { weight: 3, arbitrary: fc.record({ admit: fc.nat(3) }) },
      { weight: 3, arbitrary: fc.constant('deploy and replay' as const) },
    ),
    { minLength: 2, maxLength: 9 },
  ),
});

it('so do replays of other bodies that operators admitted, as often as the version changes', async () => {
  const property = fc.asyncProperty(conflictHistories, async ({ events: own, conflicts: others, steps }) => {
    const [tables, reference] = [sharedTables(), sharedTables()];
    const isDeployment = (one: (typeof steps)[number]) => one === 'deploy and replay';
    let version: Version = steps.filter(isDeployment).length % 2 === 0 ? 2 : 1;
    deploy(version);
    const admitted = new Set<number>();
    const sends: ((to: Tables, version: Version) => Promise<void>)[] = [];
    for (const one of [{ deliver: 0, attempt: 0 }, { admit: 0 }, ...steps]) {
      if (one === 'deploy and replay') {
        version = version === 1 ? 2 : 1;
        deploy(version);
        expect((await tables.act('replay', {})).status).toBe(200);
      } else if ('deliver' in one) {
        const sent = bodyOf(`e${one.deliver}`, own[one.deliver] ?? own[0], one.attempt);
        sends.push((to) => to.consume(sent));
        await sends.at(-1)?.(tables, version);
      } else if (tables.events.has(`live:event:e${one.admit} event`) && !admitted.has(one.admit)) {
        admitted.add(one.admit);
        const conflict = others[one.admit] ?? others[0];
        const sent = bodyOf(`e${one.admit}`, conflict, 0);
        sends.push(async (to, read) => {
          await to.consume(sent);
          const subject = { event_id: sent.messageId, body_sha256: sha256(sent.body) };
          const { status } = await to.act('admit', { ...subject, order_id: conflict.order[read - 1] });
          expect(status).toBe(200);
        });
        await sends.at(-1)?.(tables, version);
      }
    }
    for (const send of sends) await send(reference, 2);
    expect((await tables.act('replay', {})).status).toBe(200);
    expect(moneyOf(tables)).toEqual(moneyOf(reference));
    expect(waitingIn(tables)).toEqual(waitingIn(reference));
    expect((await tables.act('replay', {})).changed).toBe(false);
    expect([await tables.differences(), await reference.differences()]).toEqual([[], []]);
  });
  await fc.assert(property, { numRuns: 120 });
});
