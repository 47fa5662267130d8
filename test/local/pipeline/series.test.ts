import { describe, expect, it } from 'vitest';
import { createSeriesView } from '../../../local/pipeline/series.ts';

type Stack = Parameters<typeof createSeriesView>[0];

const functionOf = (service: string) => ({
  name: `Function-${service}`,
  environment: { POWERTOOLS_SERVICE_NAME: service },
});
const model = {
  functions: [functionOf('verifier'), functionOf('heartbeat')],
  outputs: { MetricsNamespace: 'payhooks/local', EventQueueUrl: 'http://127.0.0.1:1/0/Events' },
} as unknown as Stack['model'];

function setUp(values: Readonly<Record<string, number>>) {
  const stack: Stack = {
    model,
    metric: ({ name, dimensions }, statistic, { begin, end }) => {
      const key = [name, ...Object.values(dimensions), statistic].join(' ');
      return Array.from({ length: (end - begin) / 60_000 - 1 }, () => undefined as number | undefined).concat(
        values[key],
      );
    },
  };
  return createSeriesView(stack, () => Date.parse('2026-11-21T12:00:30.000Z'));
}

describe('the series of local mode', () => {
  it('are the metrics of its queue and functions, up to the minute that has begun', async () => {
    const view = setUp({
      'NumberOfMessagesSent Events Sum': 6,
      'NumberOfMessagesDeleted Events Sum': 4,
      'Invocations Function-heartbeat Sum': 2,
      'HeartbeatReturned heartbeat SampleCount': 1,
      'Errors Function-verifier Sum': 3,
    });
    const { since, accepted, recorded, refused } = await view();
    expect(since).toBe('2026-11-21T11:01:00.000Z');
    expect([accepted.at(-1), recorded.at(-1), refused.crashed.at(-1)]).toEqual([5, 3, 3]);
  });
});
