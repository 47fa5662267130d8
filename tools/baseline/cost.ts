import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { milliseconds, platformLogBytes } from '../cost-model/assumed.ts';
import { addUsages, billOf, gigabyte } from '../cost-model/bill.ts';
import { dollars, table } from '../cost-model/documents.ts';
import { cost } from '../cost-model/prices.ts';
import { runInstance } from './instance.ts';
import { type Stack, takeBatches, webhookEvent } from './stack.ts';

const million = 1_000_000;
/** As much memory as payhooks' functions have, and the durations that the cost model assumes for those. */
const gigabyteSeconds = (milliseconds.verifier[0] * 0.25 + milliseconds.consumer[0] * 0.5) / 1000;

const events = 20;

/** What a million paid events cost in the baseline, each alone in its batch. */
export async function baselineBill(stack: Stack) {
  const { receive, record } = stack.functions.baseline;
  const webhooks = Array.from({ length: events }, (_, n) =>
    webhookEvent('baseline', bytesOf(paidEvent({ orderId: `counted-${n}`, seed: `counted ${n}` }))),
  );
  const before = stack.calls.length;
  const received = await runInstance(receive, webhooks);
  const recorded = await runInstance(record, await takeBatches(stack, 'baseline', events));
  const calls = stack.calls.slice(before).map((usage) => [{ ...usage, secretReads: 0 }, 1 / events] as const);
  const logBytes = (received.logBytes + recorded.logBytes) / events + 2 * platformLogBytes;
  // Lambda receives and deletes a message with one request each.
  const own = { invocations: 2, queueRequests: 2, logs: logBytes / gigabyte };
  return [
    { title: 'API Gateway, a REST API', dollars: cost(million, 'restRequest') },
    { title: 'Lambda, duration on x86', dollars: cost(gigabyteSeconds * million, 'x86GigabyteSecond') },
    ...billOf(addUsages([addUsages(...calls, [own, 1]), million])).filter((line) => line.dollars > 0),
  ];
}

export const totalOf = (bill: Awaited<ReturnType<typeof baselineBill>>): number =>
  bill.reduce((sum, line) => sum + line.dollars, 0);

export const costTable = (bill: Awaited<ReturnType<typeof baselineBill>>): string =>
  table('a million paid events in the baseline | dollars', [
    ...bill.map((line) => [line.title, dollars(line.dollars)]),
    ['**total**', `**${dollars(totalOf(bill))}**`],
  ]);
