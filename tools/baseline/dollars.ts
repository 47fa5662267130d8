import { milliseconds, platformLogBytes } from '../cost-model/assumed.ts';
import { gigabyte } from '../cost-model/bill.ts';
import { cost } from '../cost-model/prices.ts';
import type { BaselineCounts } from './counts.ts';
import { table } from './measurements.ts';

const million = 1_000_000;
/** November 2026, us-east-1: what only the baseline pays. The other prices are the cost model's. */
const restRequest = 3.5 / million;
const x86GigabyteSecond = 16.6667 / million;
/** As much memory as payhooks' functions have, and the durations that the cost model assumes for those. */
const gigabyteSeconds = (milliseconds.verifier[0] * 0.25 + milliseconds.consumer[0] * 0.5) / 1000;

/** The bill for a million paid events, each alone in its batch. */
export function baselineBill(counts: BaselineCounts) {
  const logGigabytes = (counts.logBytes + counts.invocations * platformLogBytes) / gigabyte;
  const perEvent = {
    'API Gateway, a REST API': counts.gatewayRequests * restRequest,
    'Lambda, invocations': cost(counts.invocations, 'lambdaRequest'),
    'Lambda, duration on x86': gigabyteSeconds * x86GigabyteSecond,
    'SQS, requests': cost(counts.queueRequests, 'queueRequest'),
    'DynamoDB, writes': cost(counts.writeUnits, 'writeUnit'),
    'CloudWatch, log lines': cost(logGigabytes, 'logGigabyte', 'logGigabyteMonth'),
  };
  return Object.entries(perEvent).map(([title, dollars]) => ({ title, dollars: dollars * million }));
}

export function baselineTable(counts: BaselineCounts): string {
  const bill = baselineBill(counts);
  const total = bill.reduce((sum, { dollars }) => sum + dollars, 0);
  return table('a million paid events in the baseline | dollars', [
    ...bill.map(({ title, dollars }) => [title, `$${dollars.toFixed(2)}`]),
    ['**total**', `**$${total.toFixed(2)}**`],
  ]);
}
