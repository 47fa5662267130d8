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
const applied = 'applied       transaction.paid  3f2a9c1e…';
const published = {
  message: 'order change published',
  order_id: 'order-1',
  order_status: 'refunded',
  sequence: 2,
};
const audit = {
  kind: 'not_registered',
  detail: 'http://127.0.0.1:4800/webhooks/payments is not registered: no event is delivered to it.',
  command: 'npx payhooks webhooks register --stack payhooks-local',
};

describe('the live log', () => {
  const order = { order_id: 'order-1' };
  it.each([
    ['verifier', { message: 'webhook accepted', bytes: 1204 }, 'accepted      1204 bytes'],
    [
      'verifier',
      { message: 'webhook refused', status: 403, reason: 'mismatch' },
      'refused 403   signature mismatch',
    ],
    [
      'consumer',
      { ...handled, ...order, outcome: 'applied', order_status: 'paid' },
      `${applied}  order-1  → paid`,
    ],
    [
      'consumer',
      { ...handled, outcome: 'quarantined', reason: 'sandbox_mismatch', mode: 'sandbox' },
      'quarantined   transaction.paid  3f2a9c1e…  sandbox  sandbox_mismatch',
    ],
    [
      'consumer',
      { message: 'record will be retried', reason: 'throttled', error_name: 'SlowDown' },
      'will retry    throttled  SlowDown',
    ],
    [
      'order-feed',
      { ...published, previous_status: 'paid' },
      'published     order-1  paid → refunded  sequence 2',
    ],
    [
      'order-feed',
      { message: 'order change not published', ...order, error_code: 'InternalFailure' },
      'not published  order-1  InternalFailure',
    ],
    ['audit', { message: 'webhook audited', findings: 1 }, 'audited       wrong: 1'],
    [
      'audit',
      { message: 'webhook audit found', ...audit },
      `not registered  ${audit.detail}  → ${audit.command}`,
    ],
    [
      'refresh',
      { message: 'rotation step failed', step: 'testSecret', error_name: 'StatusError' },
      'testSecret    StatusError  failed',
    ],
    [
      'alarm',
      { message: 'alarm changed', alarm: 'WebhookNotRegistered', alarm_state: 'ALARM', detail: 'Lost.' },
      'WebhookNotRegistered  ALARM  Lost.',
    ],
  ])('prints one line of %s for %j', (stage, fields, line) => {
    const { log, lines } = watch();
    log(stage, fields);
    expect(lines()).toEqual([`${stage.padEnd(11)} ${line}\n`]);
  });

  it('rewrites a suggested command for local mode', () => {
    const localCommand = (command: string): string => command.replace('--stack x', '--local');
    const liveLog = createLiveLog({ write: () => undefined, colours: false, localCommand });
    const entries: LiveLogEntry[] = [];
    liveLog.subscribe((entry) => entries.push(entry));
    liveLog.onLine('webhook-audit', '{"message":"webhook audit found","command":"do --stack x"}');
    expect(entries.map(({ fields }) => fields)).toEqual([{ command: 'do --local' }]);
  });

  it('shows the previous status of an order, live and sandbox separately', () => {
    const { log, lines } = watch();
    const change = (order_status: string, mode = 'live') =>
      log('consumer', { ...handled, mode, order_id: 'order-1', outcome: 'applied', order_status });
    change('paid');
    // A feed that lags changes nothing.
    log('order-feed', { ...published, order_status: 'pending' });
    change('refunded');
    change('refunded');
    change('paid', 'sandbox');
    const shown = lines().filter((line) => line.startsWith('consumer'));
    expect(shown.map((line) => line.slice(line.indexOf('order-1')))).toEqual([
      'order-1  → paid\n',
      'order-1  paid → refunded\n',
      'order-1  still refunded\n',
      'order-1  sandbox  → paid\n',
    ]);
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
    liveLog.onLine('consumer', '[1]');
    expect(written).toEqual(['consumer: Error: no memory    at x\n', 'consumer: [1]\n']);
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

  it('cuts a long order id between whole characters, and shows an id that is no UUID as a whole', () => {
    const { log, lines } = watch();
    log('consumer', { ...handled, event_id: 'event-0000000001', order_id: '😀'.repeat(500) });
    expect(lines()[0]).toContain('  event-0000000001  ');
    expect(lines()[0]).toContain(`  ${'😀'.repeat(39)}…`);
  });

  it('uses colours only when they are switched on', () => {
    const [plain, coloured] = [watch(false), watch(true)];
    for (const { log } of [plain, coloured]) log('consumer', { ...handled, outcome: 'applied' });
    expect(plain.written[0]).not.toContain('\u001b[');
    expect(coloured.written[0]).toContain('\u001b[32mapplied');
  });

  it('notifies its subscribers until they unsubscribe', () => {
    const { log, entries, unsubscribe } = watch();
    const order = { order_id: 'order-1', order_status: 'paid' };
    log('consumer', { ...handled, ...order, outcome: 'applied' });
    unsubscribe();
    log('consumer', { ...handled, ...order, outcome: 'duplicate' });
    const { message, ...fields } = handled;
    expect(entries).toEqual([
      {
        number: 1,
        at: '2026-11-02T09:31:02.114Z',
        stage: 'consumer',
        level: 'info',
        message,
        fields: { ...fields, ...order, outcome: 'applied' },
        statusBefore: null,
        sinceAcceptedMilliseconds: null,
      },
    ]);
  });
});
