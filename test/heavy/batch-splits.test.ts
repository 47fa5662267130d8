import { describe, expect, it } from 'vitest';
import { eightMessages as messages } from '../doubles/eight-events.ts';
import { deliverInEveryOrder } from '../doubles/every-order.ts';
import type { SentBody } from '../doubles/sqs-event.ts';
import { stateText } from '../doubles/store-states.ts';

describe.each([undefined, 30])('with bodies that are kept for %j days', (eventRetentionDays) => {
  it.each([
    ['their order', (batch: readonly SentBody[]) => batch],
    ['the reverse order', (batch: readonly SentBody[]) => batch.toReversed()],
  ])(
    'all 545,835 ways to deliver eight events in batches end alike, each batch in %s',
    async (_, arrange) => {
      const [single] = await deliverInEveryOrder({ messages, batchSizeMax: 1, eventRetentionDays });
      const ends = await deliverInEveryOrder({ messages, batchSizeMax: 8, arrange, eventRetentionDays });
      expect(ends.map(({ ways }) => ways)).toEqual([545_835]);
      expect(ends.map(({ stores }) => stateText(stores))).toEqual([single && stateText(single.stores)]);
    },
  );
});
