import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consumerOver, setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

const body = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const erased = {
  by: 'arn:aws:iam::1:user/ann',
  at: '2026-11-22T05:00:00.000Z',
  reason: 'the customer asked',
};
const key = 'live:event:e';
type Stores = ReturnType<typeof memoryStores>;

/** As an erasure does: the mark on the event's row first, then every other body under the id. */
async function erase({ writer, events, bodies }: Stores): Promise<void> {
  await writer.eraseBody({ key, record: 'event', erased, fact: fact('e', 'paid') });
  const records = [...events.values()].map(({ record }) => record);
  const stored = [...bodies.values(), ...events.values()].map(({ bodySha256 }) => `body:${bodySha256}`);
  for (const record of [...records, ...new Set(stored)]) await writer.eraseBody({ key, record, erased });
}

/** The records that hold a body. */
const holders = ({ events, bodies }: Stores): string[] => [
  ...[...events.values()].flatMap(({ record, body }) => (body === undefined ? [] : [record])),
  ...[...bodies.values()].flatMap(({ bodySha256, body }) =>
    body === undefined ? [] : [`body:${bodySha256}`],
  ),
];

describe.each([undefined, 30])(
  'with bodies that are kept for %j days, an erased event',
  (eventRetentionDays) => {
    const setUp = () => {
      const consumer = setUpConsumer({ parts: { eventRetentionDays } });
      return { ...consumer, erase: () => erase(consumer), holders: () => holders(consumer) };
    };
    const first = body({ id: 'e', order: 'A' });
    const variant = body({ id: 'e', order: 'A', attempt: 2 });

    it('is stored with its body before, and without it after the erasure', async () => {
      const { consume, erase, holders, events } = setUp();
      await consume(first);
      expect(holders()).toEqual([eventRetentionDays ? `body:${sha256(first.body)}` : 'event']);
      await erase();
      expect(holders()).toEqual([]);
      expect(events.get(`${key} event`)).toMatchObject({
        outcome: 'applied',
        fact: fact('e', 'paid'),
        erased,
      });
    });

    it('that is delivered again in the same or in other bytes stores no body, and stays a duplicate', async () => {
      const { consume, erase, holders, factsOf, waiting, loggedOutcomes } = setUp();
      await consume(first);
      await erase();
      for (const sent of [first, variant, variant]) expect(await consume(sent)).toEqual([]);
      expect(holders()).toEqual([]);
      expect(factsOf('A')).toEqual([fact('e', 'paid')]);
      expect(waiting()).toEqual([]);
      expect(loggedOutcomes()).toEqual(['applied', 'duplicate', 'duplicate', 'duplicate']);
    });

    it('keeps no body of a variant that was stored before the erasure and is delivered again', async () => {
      const { consume, erase, holders } = setUp();
      await consume(first, variant);
      await erase();
      await consume(first, variant);
      expect(holders()).toEqual([]);
    });

    it('that is delivered again in other bytes is not stored with its body for a moment', async () => {
      const stores = memoryStores();
      await consumerOver(stores, { eventRetentionDays })(sqsEvent(first));
      await erase(stores);
      const puts: (readonly [string, boolean])[] = [];
      const put: Stores['writer']['put'] = (row) => {
        puts.push([row.outcome, row.body !== undefined]);
        return stores.writer.put(row);
      };
      await consumerOver({ writer: { ...stores.writer, put } }, { eventRetentionDays })(sqsEvent(variant));
      expect(puts.at(-1)).toEqual(['duplicate', false]);
    });

    it('keeps no body of a variant that an interrupted erasure has left, once it is delivered again', async () => {
      const { consume, holders, writer } = setUp();
      await consume(first, variant);
      await writer.eraseBody({ key, record: 'event', erased, fact: fact('e', 'paid') });
      await consume(variant);
      expect(holders()).not.toContain(`variant:${sha256(variant.body)}`);
    });

    it('stores another event under its id with the body, which a person must judge', async () => {
      const { consume, erase, holders, waiting } = setUp();
      await consume(first);
      await erase();
      const other = body({ id: 'e', order: 'B' });
      await consume(other);
      expect(waiting()).toEqual([[key, 'conflict']]);
      expect(holders()).toContain(`conflict:${sha256(other.body)}`);
    });

    it('keeps no body, whichever call of another delivery the erasure comes after', async () => {
      let interrupted = 0;
      for (const sent of [first, variant]) {
        for (let after = 0; after < 8; after += 1) {
          const stores = memoryStores();
          const consume = (writer: Stores['writer']) =>
            consumerOver({ writer }, { eventRetentionDays })(sqsEvent(sent));
          await consumerOver(stores, { eventRetentionDays })(sqsEvent(first));
          let isErased = false;
          const onErase = () => {
            isErased = true;
          };
          await consume(erasedAfter(stores, after, onErase));
          if (!isErased) continue;
          interrupted += 1;
          expect([sent.messageId, after, holders(stores)]).toEqual([sent.messageId, after, []]);
        }
      }
      expect(interrupted).toBeGreaterThan(7);
    });
  },
);

/** The stores of a delivery that an erasure interrupts after so many of its calls. */
function erasedAfter(stores: Stores, calls: number, onErase: () => void): Stores['writer'] {
  let count = 0;
  const wrapped = Object.entries(stores.writer).map(([name, call]) => [
    name,
    async (...given: never[]) => {
      const result = await (call as (...given: never[]) => Promise<unknown>)(...given);
      count += 1;
      if (count === calls) {
        onErase();
        await erase(stores);
      }
      return result;
    },
  ]);
  return Object.fromEntries(wrapped) as Stores['writer'];
}
