import { describe, expect, it } from 'vitest';
import { consumerOver } from '../doubles/consumer.ts';
import { intercepted, type PortCall } from '../doubles/intercepted.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { copyOf, stateText } from '../doubles/store-states.ts';
import {
  messageId,
  paidOrders,
  positions,
  recordOf,
  tenRefunds,
  textOfRecord,
} from '../doubles/ten-records.ts';

const before = await paidOrders();
const whole = copyOf(before);
await consumerOver(whole)(sqsEvent(...tenRefunds));
const wholeText = stateText(whole);

const steps = ['put', 'join', 'merge', 'settle'] as const;
const subsets = Array.from({ length: 2 ** positions.length }, (_, set) =>
  positions.filter((n) => set & (1 << n)),
);

/** Fails the calls of one step for some records. */
const failing =
  (step: string, moment: string, records: readonly number[]) =>
  async (call: PortCall): Promise<unknown> => {
    const fails = call.name === step && records.includes(recordOf(call) ?? -1);
    if (fails && moment === 'lost') throw new Error('lost');
    const result = await call.carryOut();
    if (fails) throw new Error('response lost');
    return result;
  };

describe.each(
  steps.flatMap((step) => [[step, 'lost'] as const, [step, 'carried out, its response lost'] as const]),
)('a batch of ten of which some records fail, because %s is %s:', (step, moment) => {
  it('all 1,024 subsets get exact verdicts, leave the others alone, and end as without a fault', async () => {
    for (const failed of subsets) {
      const stores = copyOf(before);
      const writer = intercepted(stores.writer, failing(step, moment, failed));
      const { batchItemFailures } = await consumerOver({ writer })(sqsEvent(...tenRefunds));
      expect(batchItemFailures).toEqual(failed.map((n) => ({ itemIdentifier: messageId(n) })));
      const done = positions.filter((n) => !failed.includes(n));
      expect(done.filter((n) => textOfRecord(stores, n) !== textOfRecord(whole, n))).toEqual([]);
      await consumerOver(stores)(sqsEvent(...tenRefunds.filter((_, n) => failed.includes(n))));
      expect(stateText(stores) === wholeText).toBe(true);
    }
    expect(subsets).toHaveLength(1_024);
  });
});

it('all 1,024 subsets of messages that the verifier did not write go back, and the others are done', async () => {
  for (const failed of subsets) {
    const stores = copyOf(before);
    const { Records } = sqsEvent(...tenRefunds);
    const mixed = Records.map((record, n) =>
      failed.includes(n) ? { ...record, messageAttributes: {} } : record,
    );
    const { batchItemFailures } = await consumerOver(stores)({ Records: mixed });
    expect(batchItemFailures).toEqual(failed.map((n) => ({ itemIdentifier: messageId(n) })));
    const untouched = (n: number) => textOfRecord(failed.includes(n) ? before : whole, n);
    expect(positions.filter((n) => textOfRecord(stores, n) !== untouched(n))).toEqual([]);
  }
});
