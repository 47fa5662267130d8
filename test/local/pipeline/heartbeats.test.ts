import { describe, expect, it } from 'vitest';
import { createHeartbeats } from '../../../local/pipeline/heartbeats.ts';

const line = (fields: object) => JSON.stringify({ level: 'INFO', message: 'heartbeat returned', ...fields });

describe('the latest heartbeat of local mode', () => {
  it('is dated by the clock that alarms go by, which may be hours ahead of the functions', () => {
    const { onLine, view } = createHeartbeats(() => Date.parse('2026-11-22T17:00:00.000Z'));
    onLine(line({ timestamp: '2026-11-22T10:00:00.000Z', seconds: 0.4, order_id: 'o-1' }));
    expect(view()).toEqual({ returned_at: '2026-11-22T17:00:00.000Z', seconds: 0.4, order_id: 'o-1' });
  });

  it('does not exist before one has returned', () => {
    const { onLine, view } = createHeartbeats(Date.now);
    onLine(JSON.stringify({ message: 'heartbeat sent', seconds: 1 }));
    onLine(line({ seconds: 'unknown', order_id: 'o-1' }));
    expect(view()).toEqual({ returned_at: null, seconds: null, order_id: null });
  });
});
