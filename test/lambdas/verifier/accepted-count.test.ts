import { expect, it } from 'vitest';
import { createAcceptedCount } from '../../../lambdas/verifier/verifier.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

/** The metrics after webhooks at these times, in milliseconds. */
function countedAt(...times: readonly number[]) {
  let now = 0;
  const telemetry = recordTelemetry();
  const countAccepted = createAcceptedCount({ now: () => now, telemetry });
  for (now of times) countAccepted();
  return telemetry.metrics;
}

it('the metric of accepted webhooks is emitted once a minute, however many there are', () => {
  const everyTenth = Array.from({ length: 1_800 }, (_, n) => n * 100);
  expect(countedAt(...everyTenth)).toEqual(Array(3).fill('WebhooksAccepted'));
  expect(countedAt(0, 59_999)).toHaveLength(1);
  expect(countedAt(0, 60_000)).toHaveLength(2);
});

it('a clock that was set back by a minute does not silence the metric of accepted webhooks', () => {
  expect(countedAt(3_600_000, 3_540_001)).toHaveLength(1);
  expect(countedAt(3_600_000, 3_540_000)).toHaveLength(2);
});
