import type { Attempt, Delivery, History, SecretValue } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { type Violation, violationsOf } from './violation.ts';

const bodyBytesMax = 256 * 1024;
/** A removed key works while an instance has it in memory: five minutes, and six hours in an outage. */
const removedKeyMilliseconds = 330_000;
const outageMilliseconds = 6 * 3_600_000;
/** A new key works once the cool-down of ten seconds and the longest read of the secret have passed. */
const newKeyMilliseconds = 60_000;

const violations = violationsOf('responses');

/** Every response to a webhook follows from its signature and the keys of that moment. */
export function responseViolations(evidence: Evidence): readonly Violation[] {
  const keys = keyTimes(evidence.history);
  return evidence.history.deliveries.flatMap((delivery) =>
    delivery.attempts.flatMap((attempt) => {
      const fault = faultOf(evidence, keys, delivery, attempt);
      if (fault === undefined) return [];
      const at = new Date(attempt.at).toISOString();
      return violations(`Webhook ${delivery.number} (${delivery.kind}), sent at ${at}, ${fault}`);
    }),
  );
}

function faultOf(
  { sent }: Evidence,
  keys: ReturnType<typeof keyTimes>,
  delivery: Delivery,
  attempt: Attempt,
): string | undefined {
  if (attempt.outcome.kind !== 'status') return undefined;
  const { status } = attempt.outcome;
  const bytes = Buffer.from(delivery.body, 'base64').length;
  const isGenuine = sent.modeOf(delivery, attempt) !== undefined;
  if (status === 202) {
    if (!isGenuine) return 'got 202 although no key of the account signed it.';
    if (bytes > bodyBytesMax) return `got 202 with ${bytes} bytes; more than ${bodyBytesMax} must get 413.`;
    return keys.isGone(attempt) ? 'got 202 although its key had been removed or had expired.' : undefined;
  }
  if (status === 403) {
    return isGenuine && bytes <= bodyBytesMax && keys.isKnown(attempt)
      ? 'got 403 although its key was in the secret: the sender may never deliver it again.'
      : undefined;
  }
  if (status === 413) return bytes > bodyBytesMax ? undefined : `got 413 with only ${bytes} bytes.`;
  return status >= 500 || status === 429 ? undefined : `got ${status}, which payhooks never responds.`;
}

function keyTimes({ secretValues, calls, invocations }: History) {
  const skew = Math.max(0, ...invocations.map((one) => Math.abs(one.skewMilliseconds)));
  const failedReads = calls.filter(
    ({ stage, operation, fault }) => stage === 'verifier' && operation === 'GetSecretValue' && fault,
  );
  const accepts = (value: SecretValue, { key }: Attempt, at: number): boolean =>
    value.keys?.some((one) => one.key === key && (one.acceptedUntil ?? Number.POSITIVE_INFINITY) > at) ??
    false;
  /** The values that were current at some moment of a time, oldest first. */
  const during = (from: number, to: number): readonly SecretValue[] => {
    const before = secretValues.filter(({ at }) => at <= from).slice(-1);
    return [...before, ...secretValues.filter(({ at }) => at > from && at <= to)];
  };
  return {
    /** Whether no instance may still accept the key. */
    isGone(attempt: Attempt): boolean {
      const { at } = attempt;
      const isOutage = failedReads.some((call) => call.at > at - outageMilliseconds && call.at <= at);
      const from = at - (isOutage ? outageMilliseconds : removedKeyMilliseconds);
      return !during(from, attempt.endedAt).some((value) => accepts(value, attempt, at - skew));
    },
    /** Whether every instance must accept the key. */
    isKnown(attempt: Attempt): boolean {
      const values = during(attempt.at - newKeyMilliseconds, attempt.endedAt);
      return values.length > 0 && values.every((value) => accepts(value, attempt, attempt.endedAt + skew));
    },
  };
}
