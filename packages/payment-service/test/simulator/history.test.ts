import { expect, it } from 'vitest';
import { historyOf } from '../../src/simulator/delivery/history.ts';
import type { Attempt } from '../../src/simulator/delivery/sender.ts';

const record = (id: string, attempts: readonly Attempt[], retryAt: string | null = null) => ({
  ...{ webhookId: 'w', eventId: `e${id}`, eventName: 'a.b' },
  delivery: { id, url: 'u', body: Buffer.of(), state: 'pending' as const, attempts, retryAt },
});

const attempt = (number: number, milliseconds: number): Attempt => ({
  ...{ number, at: `2026-11-02T09:15:00.${milliseconds}Z`, result: { status: 503, body: '' } },
});

it('4.5 the history is in the order of the attempts, the latest of which have the pending retry', () => {
  const first = record('1', [attempt(1, 100), attempt(2, 300), attempt(3, 900)], '2026-11-02T09:15:07.000Z');
  const second = record('2', [attempt(1, 200), attempt(2, 400)]);
  const history = historyOf([first, second], 'w');
  expect(history.map(({ id }) => id)).toEqual(['1.1', '2.1', '1.2', '2.2', '1.3']);
  expect(history.map(({ retry_at }) => retry_at)).toEqual([...Array(4).fill(null), '2026-11-02 09:15:07']);
  expect(history.map(({ is_retry_pending }) => is_retry_pending)).toEqual([...Array(4).fill(false), true]);
});
