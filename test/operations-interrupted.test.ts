import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { type ActDone, sharedTables } from './doubles/operators-at-once.ts';
import type { SentBody } from './doubles/sqs-event.ts';
import { dyingAfter } from './doubles/turns.ts';

const body = (fields: EventFields): SentBody => ({ body: eventBody(fields), messageId: fields.id });
const refund = body({ id: 'r', action: 'refunded' });
const quarantined: SentBody = { body: eventBody({ id: 'q', order: 'A' }), mode: 'sandbox' };
const conflict = [body({ id: 'e', order: 'A' }), body({ id: 'e', order: 'A', amount: '7.00' })];
const disputed = [body({ id: 'd', order: 'A', action: 'disputed' })];
const open = async () => {};
/** Where the audit of an act is in any case. */
const partitionOf = ({
  event_id: id,
  order_id: orderId,
  mode = 'live',
}: Readonly<Record<string, unknown>>) =>
  id === undefined ? `${mode}:order:${orderId}` : `${mode}:event:${id}`;

type Tables = ReturnType<typeof sharedTables>;
type ActName = Parameters<Tables['act']>[0];
/** A delivery, or a change of what is stored. */
type Step = SentBody | ((tables: Tables) => void);
type Case = [what: string, before: readonly Step[], name: ActName, fields: Readonly<Record<string, unknown>>];

/** Another version has read another amount in the body of the event m. */
function misread({ orders }: Tables): void {
  const facts = orders.get('live:order:A')?.facts;
  facts?.delete(fact('m', 'paid'));
  facts?.add(fact('m', 'paid', { amount: '9.00' }));
}

const cases: readonly Case[] = [
  ['admission without an order', [refund], 'admit', { event_id: 'r', order_id: 'A' }],
  [
    'admission without an order and a transaction',
    [body({ id: 'r', action: 'refunded', transaction: null })],
    'admit',
    { event_id: 'r', order_id: 'A' },
  ],
  [
    'admission with others of the transaction',
    [body({ id: 'p' }), refund],
    'admit',
    { event_id: 'p', order_id: 'A' },
  ],
  ['admission out of quarantine', [quarantined], 'admit', { event_id: 'q', mode: 'sandbox' }],
  [
    'admission out of quarantine under an order',
    [body({ id: 'r', order: 'o'.repeat(1_025) })],
    'admit',
    { event_id: 'r', order_id: 'A' },
  ],
  ['admission of a conflict', conflict, 'admit', { event_id: 'e' }],
  ['dismissal without an order', [refund], 'dismiss', { event_id: 'r' }],
  ['dismissal of a conflict', conflict, 'dismiss', { event_id: 'e' }],
  ['resolution', disputed, 'resolve', { order_id: 'A', sequence: 1, attention: ['disputed'] }],
  [
    'erasure',
    [body({ id: 'e', order: 'A' }), body({ id: 'e', order: 'A', attempt: 2 })],
    'erase',
    { event_id: 'e' },
  ],
  ['replay of an event', [body({ id: 'm', order: 'A' }), misread], 'replay', { event_id: 'm' }],
  [
    'replay of an order',
    [body({ id: 'm', order: 'A' }), body({ id: 'n', order: 'A', amount: '1.00' }), misread],
    'replay',
    { order_id: 'A', publish: true },
  ],
];

describe.each([undefined, 30])(
  'with bodies that are kept for %j days, an interrupted',
  (eventRetentionDays) => {
    async function start(before: readonly Step[]): Promise<Tables> {
      const tables = sharedTables({ eventRetentionDays });
      for (const step of before) await (typeof step === 'function' ? step(tables) : tables.consume(step));
      return tables;
    }

    /** Interrupts an act after each of its calls, and calls `complete` with what is left. */
    async function interrupt(
      [, before, name, fields]: Case,
      complete: (tables: Tables, at: number) => Promise<void>,
    ): Promise<number> {
      for (let at = 0; at < 100; at += 1) {
        const tables = await start(before);
        const { status } = await tables.act(name, fields, 'ann', dyingAfter(at)(open));
        if (status === 200) return at;
        await complete(tables, at);
      }
      throw new Error('The act never ends.');
    }

    it.each(cases)('%s is completed by the same request, after any of its calls', async (...one) => {
      const [, before, name, fields] = one;
      const whole = await start(before);
      expect(await whole.act(name, fields)).toMatchObject({ status: 200, changed: true });
      expect(whole.waiting()).toEqual([]);
      const calls = await interrupt(one, async (tables, at) => {
        expect([at, (await tables.act(name, fields)).status]).toEqual([at, 200]);
        const { acts, ...state } = tables.state();
        const { acts: audits, ...expected } = whole.state();
        expect([at, state]).toEqual([at, expected]);
        // Where only other events of its transaction had changed before, the repetition does not name them.
        for (const [partition, audited] of acts) expect([at, audited]).toEqual([at, audits.get(partition)]);
        // The fact of a resolution is its audit.
        if (name !== 'resolve') expect([at, ...acts.keys()]).toContain(partitionOf(fields));
      });
      expect(calls).toBeGreaterThan(1);
    });

    it.each(cases)('%s is completed although its events were delivered again first', async (...one) => {
      const [, before, name, fields] = one;
      const whole = await start(before);
      await whole.act(name, fields);
      await interrupt(one, async (tables, at) => {
        for (const step of before) if (typeof step !== 'function') await tables.consume(step);
        const { status } = await tables.act(name, fields);
        const { acts: _, ...state } = tables.state();
        const { acts: __, ...expected } = whole.state();
        expect([at, status, state]).toEqual([at, 200, expected]);
      });
    });

    it.each(cases)(
      '%s that is repeated when it is complete changes nothing',
      async (_, before, name, fields) => {
        const tables = await start(before);
        await tables.act(name, fields);
        const state = tables.state();
        expect(await tables.act(name, fields)).toMatchObject({ status: 200, changed: false });
        expect(tables.state()).toEqual(state);
      },
    );
  },
);

it('an admission that a full order refuses is taken back, after any call that it was interrupted after', async () => {
  const room = { orderBytesMax: Buffer.byteLength(fact('p', 'paid')) + 60 };
  for (let at = 0; at < 100; at += 1) {
    const tables = sharedTables({ room });
    await tables.consume(body({ id: 'p', order: 'A', transaction: 'U' }));
    await tables.consume(refund);
    const admit = (gate = open): Promise<ActDone> =>
      tables.act('admit', { event_id: 'r', order_id: 'A' }, 'ann', gate);
    const { status } = await admit(dyingAfter(at)(open));
    expect([at, (await admit()).status]).toEqual([at, 409]);
    const { waiting, judged } = tables.events.get('live:event:r event') ?? {};
    expect([at, waiting === undefined, judged]).toEqual([at, false, undefined]);
    if (status === 409) return;
  }
  throw new Error('The admission never ends.');
});
