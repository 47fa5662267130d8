import type { SQSRecord } from 'aws-lambda';
import { retryBackOffSeconds, retryBackOffSecondsMax } from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import type { Postpone } from '../ports/postpone.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';

/** How long a message that failed waits for its next attempt; `receives` counts the one that failed. */
export const backOffSeconds = (receives: number): number =>
  Math.min(retryBackOffSeconds * 2 ** (receives - 1), retryBackOffSecondsMax);

interface PostponeParts {
  readonly postpone: Postpone;
  readonly now: () => Date;
  readonly telemetry: Telemetry;
}

/**
 * Measures the age of records that were received before, which the queue's own age metric leaves out from the
 * third receive on. Before their work, because one that crashes the function leaves no other trace.
 */
export function measureRetries({ now, telemetry }: PostponeParts, records: readonly SQSRecord[]): void {
  const again = records.filter(({ attributes }) => Number(attributes.ApproximateReceiveCount) > 1);
  for (const { attributes } of again) {
    const age = (now().getTime() - Number(attributes.SentTimestamp)) / 1000;
    telemetry.measure(metricNames.retriedRecordAge, Math.max(age, 0), 'Seconds');
  }
  if (again.length > 0) telemetry.flush();
}

/**
 * Gives the records that go back to the queue their back-off. It only saves time, so its failure changes no
 * verdict.
 */
export async function postponeRetries(
  { postpone, telemetry }: PostponeParts,
  retried: readonly SQSRecord[],
): Promise<void> {
  if (retried.length === 0) return;
  try {
    await postpone(
      retried.map(({ receiptHandle, attributes }) => ({
        receiptHandle,
        seconds: backOffSeconds(Number(attributes.ApproximateReceiveCount)),
      })),
    );
  } catch (error) {
    telemetry.log('warn', 'retries are not postponed; the visibility timeout of the queue applies', {
      records: retried.length,
      ...errorFields(error),
    });
  }
}
