import { acceptedCountSeconds } from '../contract/alarm-thresholds.ts';
import { metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';

interface AcceptedCountParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

/** Counts that webhooks are accepted, rarely: for the alarm on silence one is as good as many. */
export function createAcceptedCount({ now, telemetry }: AcceptedCountParts): () => void {
  let countedAt = Number.NEGATIVE_INFINITY;
  return function countAccepted() {
    if (Math.abs(now() - countedAt) < acceptedCountSeconds * 1_000) return;
    countedAt = now();
    telemetry.count(metricNames.webhooksAccepted);
  };
}
