import { newestAgeSecondsMax, unreachedAttemptsMin, unreachedSeconds } from '../contract/reconcile-limits.ts';
import { invalidSignatureMessage } from '../contract/webhook-responses.ts';
import type { Attempt } from './history.ts';

/** What the verifier and API Gateway respond to a webhook, other than 403. */
const ourStatuses = [202, 413, 429, 500, 503];

/**
 * A sentence when the newest attempts of the payment service did not reach the verifier, and that has lasted:
 * they got no response, such as after a TLS handshake that failed, or one that is not ours, such as a 404
 * from the server that a wrong DNS record names, or API Gateway's 403 for a certificate that it does not
 * trust. Our own refusals have other alarms.
 */
export function unreachedSince(newest: readonly Attempt[], now: number): string | undefined {
  const sorted = newest.toSorted((a, b) => b.at - a.at);
  const reached = sorted.findIndex(isOurs);
  const run = reached < 0 ? sorted : sorted.slice(0, reached);
  const [last] = run;
  const first = run.at(-1);
  if (last === undefined || first === undefined || run.length < unreachedAttemptsMin) return undefined;
  const isRecent = now - last.at <= newestAgeSecondsMax * 1_000;
  const hasFailedRetry = new Set(run.map(({ delivery }) => delivery)).size < run.length;
  const isLong = last.at - first.at >= unreachedSeconds * 1_000;
  if (!isRecent || !(hasFailedRetry || isLong)) return undefined;
  const got = last.status === null ? 'no response' : `status ${last.status}, which is not ours`;
  const attempts = `${run.length} attempts, the last one got ${got}.`;
  return `No delivery has reached the verifier since ${new Date(first.at).toISOString()}: ${attempts}`;
}

/** A 403 without its body is taken for ours: another alarm counts the verifier's. */
function isOurs({ status, body }: Attempt): boolean {
  if (status === 403) return body === null || body.includes(invalidSignatureMessage);
  return status !== null && ourStatuses.includes(status);
}
