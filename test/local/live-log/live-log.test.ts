import { describe, expect, it } from 'vitest';
import type { LiveLogEntry } from '../../../local/live-log/entry.ts';
import { createLiveLog } from '../../../local/live-log/live-log.ts';

const eventId = '3f2a9c1e-5b1d-4e0a-9c55-0d9f6e6f1a2b';

function watch(colours = false) {
  const written: string[] = [];
  const entries: LiveLogEntry[] = [];
  const liveLog = createLiveLog({ write: (text) => written.push(text), colours });
  const unsubscribe = liveLog.subscribe((entry) => entries.push(entry));
  const log = (functionName: string, fields: Record<string, unknown>): void => {
    const line = { level: 'INFO', timestamp: '2026-11-02T09:31:02.114Z', ...fields };
    liveLog.onLine(functionName, JSON.stringify(line));
  };
  /** Without the time, which depends on the time zone. */
  const lines = () => written.map((text) => text.replace(/^\d\d:\d\d:02\.\d{3} {2}/, ''));
  return { liveLog, log, lines, written, entries, unsubscribe };
}

const handled = { message: 'event handled', mode: 'live', event_id: eventId, event_name: 'transaction.paid' };
const order = { order_id: 'order-1' };

describe('the live log', () => {
  it.each([
    ['verifier', { message: 'webhook accepted', bytes: 1204 }, 'accepted      1204 bytes'],
    [
      'verifier',
      { message: 'webhook refused', status: 403, reason: 'mismatch' },
      'refused 403   signature mismatch',
    ],
    [
      'consumer',
      { ...handled, outcome: 'quarantined', reason: 'sandbox_mismatch', mode: 'sandbox' },
      'quarantined   transaction.paid  3f2a9c1e…  sandbox  sandbox_mismatch',
    ],
    [
      'order-feed',
      {
        ...{ message: 'order change published', ...order, sequence: 2 },
        ...{ previous_status: 'paid', order_status: 'refunded' },
      },
      'published     order-1  paid → refunded  sequence 2',
    ],
    [
      'audit',
      { message: 'webhook audit found', kind: 'not_registered', detail: 'None.', command: 'npx payhooks x' },
      'not registered  None.  → npx payhooks x',
    ],
    [
      'alarm',
      { message: 'alarm changed', alarm: 'WebhookAuditFindings', alarm_state: 'ALARM', detail: 'Lost.' },
      'WebhookAuditFindings  ALARM  Lost.',
    ],
  ])('prints one line of %s for %j', (stage, fields, line) => {
    const { log, lines } = watch();
    log(stage, fields);
    expect(lines()).toEqual([`${stage.padEnd(11)} ${line}\n`]);
  });

  it('shows the time from the acknowledgement to the outcome', () => {
    const { log, lines } = watch();
    log('verifier', { message: 'webhook accepted', request_id: 'r1', timestamp: '2026-11-02T09:31:02.100Z' });
    const done = { ...handled, request_id: 'r1', outcome: 'applied', timestamp: '2026-11-02T09:31:02.141Z' };
    log('consumer', done);
    expect(lines()[1]).toBe('consumer    applied       transaction.paid  3f2a9c1e…  41 ms\n');
  });

  it.each(['{"_aws":{"Timestamp":1},"SignatureUnreadable":1,"message":"x"}', '', '  \r'])(
    'ignores the metrics or the empty line %j',
    (line) => {
      const { liveLog, written, entries } = watch();
      liveLog.onLine('verifier', line);
      expect([written, entries]).toEqual([[], []]);
    },
  );

  it('prints a line that is no log line without its escape sequences', () => {
    const { liveLog, written } = watch();
    liveLog.onLine('consumer', '\u001b]0;title\u0007Error: no \u001b[31mmemory\r\n    at x');
    expect(written).toEqual(['consumer: Error: no memory    at x\n']);
  });

  it('prints no field that is not on its list', () => {
    const { log, written, entries } = watch();
    const unlisted = { email: 'nobody@shop.example', error: { stack: 'secret' } };
    log('consumer', { ...handled, outcome: 'applied', ...unlisted });
    log('consumer', { customer: 'nobody@shop.example' });
    expect([written.length, entries.length]).toEqual([2, 2]);
    expect(JSON.stringify([written, entries])).not.toMatch(/nobody|secret/);
  });

  it('writes no control character from an event', () => {
    const { log, written } = watch();
    const hostile = '\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u009b31m\r\nfake line\u202e\u2028\u0000x';
    const names = ['event_id', 'event_name', 'order_id', 'order_status', 'reason', 'detail', 'command'];
    const fields = Object.fromEntries(names.map((name) => [name, hostile]));
    log('consumer', { message: 'event handled', outcome: hostile, error_name: hostile, ...fields });
    log('consumer', { message: hostile });
    log(hostile, handled);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain them.
    expect(written.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(written.map((text) => text.split('\n').length)).toEqual([2, 2, 2]);
  });

  it('notifies its subscribers until they unsubscribe, and uses colours only when they are switched on', () => {
    const { log, entries, unsubscribe, written } = watch(true);
    log('consumer', { ...handled, outcome: 'applied' });
    unsubscribe();
    log('consumer', { ...handled, outcome: 'duplicate' });
    expect(entries.map(({ fields }) => fields.outcome)).toEqual(['applied']);
    expect(written[0]).toContain('\u001b[32mapplied');
  });
});
