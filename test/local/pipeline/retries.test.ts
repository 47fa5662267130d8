import { expect, it } from 'vitest';
import { createRetries } from '../../../local/pipeline/retries.ts';

const timestamp = '2026-11-21T10:00:00.000Z';
const lineOf = (message: string) => (fields: object) => JSON.stringify({ message, timestamp, ...fields });

it('the failed attempts are the latest one of each message, and no other line', () => {
  const { onLine, list } = createRetries();
  const failed = lineOf('record will be retried');
  onLine(failed({ message_id: 'm-1', reason: 'event_not_recorded' }));
  onLine(failed({ message_id: 'm-2', reason: 'event_not_recorded', error_name: 'Throttling' }));
  const later = '2026-11-21T10:00:05.000Z';
  onLine(failed({ message_id: 'm-1', reason: 'event_not_applied', timestamp: later }));
  onLine(lineOf('event handled')({ message_id: 'm-3' }));
  onLine('record will be retried');
  expect(list()).toEqual([
    { message_id: 'm-2', reason: 'event_not_recorded', error_name: 'Throttling', at: timestamp },
    { message_id: 'm-1', reason: 'event_not_applied', error_name: null, at: later },
  ]);
});
