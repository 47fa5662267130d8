import { describe, expect, it } from 'vitest';
import { createRetries } from '../../../local/pipeline/retries.ts';

const line = (fields: object) =>
  JSON.stringify({ level: 'ERROR', message: 'record will be retried', ...fields });

describe('the failed attempts of local mode', () => {
  it('has the latest one of each message, and no other line', () => {
    const { onLine, list } = createRetries();
    const first = { message_id: 'm-1', reason: 'event_not_recorded', timestamp: '2026-11-21T10:00:00.000Z' };
    onLine(line(first));
    onLine(line({ ...first, message_id: 'm-2', error_name: 'Throttling' }));
    onLine(line({ ...first, reason: 'event_not_applied', timestamp: '2026-11-21T10:00:05.000Z' }));
    onLine(JSON.stringify({ message: 'event handled', message_id: 'm-3' }));
    onLine('record will be retried');
    const at = '2026-11-21T10:00:00.000Z';
    expect(list()).toEqual([
      { message_id: 'm-2', reason: 'event_not_recorded', error_name: 'Throttling', at },
      { message_id: 'm-1', reason: 'event_not_applied', error_name: null, at: '2026-11-21T10:00:05.000Z' },
    ]);
  });
});
