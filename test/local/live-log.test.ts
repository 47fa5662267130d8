import { describe, expect, it } from 'vitest';
import { printable } from '../../cli/printable.ts';
import { createLiveLog, type LiveLogEntry } from '../../local/live-log/live-log.ts';

const eventId = '3f2a9c1e-5b1d-4e0a-9c55-0d9f6e6f1a2b';

function watch(colours = false) {
  const written: string[] = [];
  const liveLog = createLiveLog({ write: (text) => written.push(text), colours });
  const log = (functionName: string, fields: Record<string, unknown>): void =>
    liveLog.onLine(
      functionName,
      JSON.stringify({ level: 'INFO', timestamp: '2026-11-02T09:31:02.114Z', ...fields }),
    );
  /**
   * The lines as a person reads them: the time is that of the reader's
   * zone, so it is only checked for its form.
   */
  const lines = () => written.map((text) => text.replace(/^\d\d:\d\d:02\.\d{3} {2}/, ''));
  return { liveLog, log, lines, written };
}

const handled = { message: 'event handled', mode: 'live', event_id: eventId, event_name: 'transaction.paid' };

describe('the live log', () => {
  it('prints one line per thing that happened', () => {
    const { log, lines } = watch();
    log('verifier', {
      message: 'webhook accepted',
      request_id: 'r1',
      mode: 'live',
      key_id: 'abc',
      bytes: 1204,
    });
    log('verifier', {
      message: 'webhook refused',
      request_id: 'r2',
      status: 403,
      reason: 'mismatch',
      level: 'WARN',
    });
    log('verifier', {
      message: 'webhook failed',
      status: 503,
      reason: 'queue_unavailable',
      error_name: 'Timeout',
    });
    log('consumer', { ...handled, order_id: 'order-1', outcome: 'applied', order_status: 'paid' });
    log('consumer', { ...handled, outcome: 'quarantined', reason: 'sandbox_mismatch', mode: 'sandbox' });
    log('consumer', { message: 'record will be retried', reason: 'throttled', error_name: 'SlowDown' });
    expect(lines()).toEqual([
      'verifier    accepted      1204 bytes\n',
      'verifier    refused 403   signature mismatch\n',
      'verifier    failed 503    queue_unavailable  Timeout\n',
      'consumer    applied       transaction.paid  3f2a9c1e…  order-1  → paid\n',
      'consumer    quarantined   transaction.paid  3f2a9c1e…  sandbox  sandbox_mismatch\n',
      'consumer    will retry    throttled  SlowDown\n',
    ]);
  });

  it('prints what an audit found and the command that mends it, what a rotation did, and what an alarm says', () => {
    const { log, lines } = watch();
    const says = 'http://127.0.0.1:4800/webhooks/payments is not registered: no event is delivered to it.';
    const command = 'npx payhooks webhooks register --stack payhooks-local';
    log('webhook-audit', { message: 'webhook audited', webhooks: 0, findings: 1 });
    log('webhook-audit', { message: 'webhook audit found', kind: 'not_registered', says, command });
    log('webhook-audit', { message: 'webhook audited', webhooks: 1, findings: 0 });
    log('token-refresh', { message: 'rotation step done', step: 'createSecret', outcome: 'renewed' });
    log('token-refresh', { message: 'rotation step failed', step: 'testSecret', error_name: 'StatusError' });
    log('alarm', {
      message: 'alarm changed',
      alarm: 'WebhookNotRegistered',
      alarm_state: 'ALARM',
      says: 'Lost.',
    });
    expect(lines()).toEqual([
      'webhook-audit audited       wrong: 1\n',
      `webhook-audit not registered  ${says}  → ${command}\n`,
      'webhook-audit audited       nothing is wrong\n',
      'token-refresh createSecret  renewed\n',
      'token-refresh testSecret    StatusError  failed\n',
      'alarm       WebhookNotRegistered  ALARM  Lost.\n',
    ]);
  });

  it('tells a command as local mode takes it', () => {
    const localCommand = (command: string): string => command.replace('--stack x', '--local');
    const liveLog = createLiveLog({ write: () => undefined, colours: false, localCommand });
    liveLog.onLine(
      'webhook-audit',
      JSON.stringify({ message: 'webhook audit found', command: 'do --stack x' }),
    );
    expect(liveLog.recent()[0]?.fields).toEqual({ command: 'do --local' });
  });

  it('shows how an order moved since the event before, live and sandbox apart', () => {
    const { log, lines } = watch();
    const change = (order_status: string, mode = 'live') =>
      log('consumer', { ...handled, mode, order_id: 'order-1', outcome: 'applied', order_status });
    change('paid');
    change('refunded');
    change('refunded');
    change('paid', 'sandbox');
    expect(lines().map((line) => line.slice(line.indexOf('order-1')))).toEqual([
      'order-1  → paid\n',
      'order-1  paid → refunded\n',
      'order-1  still refunded\n',
      'order-1  sandbox  → paid\n',
    ]);
  });

  it('prints what the feed published, and why it did not', () => {
    const { log, lines } = watch();
    const change = { mode: 'live', order_id: 'order-1', sequence: 2, dedupe_id: 'd' };
    const published = { message: 'order change published', order_status: 'refunded', ...change };
    log('order-feed', { ...published, previous_status: null });
    log('order-feed', { ...published, previous_status: 'paid', mode: 'sandbox' });
    log('order-feed', { message: 'order change not published', ...change, error_code: 'InternalFailure' });
    expect(lines()).toEqual([
      'order-feed  published     order-1  → refunded  sequence 2\n',
      'order-feed  published     order-1  sandbox  paid → refunded  sequence 2\n',
      'order-feed  not published  order-1  sequence 2  InternalFailure\n',
    ]);
  });

  it('does not take the feed, which may be behind, for what an order is by now', () => {
    const { log, lines } = watch();
    const change = { mode: 'live', order_id: 'order-1' };
    log('consumer', { ...handled, ...change, outcome: 'applied', order_status: 'paid' });
    log('order-feed', { message: 'order change published', ...change, order_status: 'pending' });
    log('consumer', { ...handled, ...change, outcome: 'applied', order_status: 'refunded' });
    expect(lines()[2]).toContain('order-1  paid → refunded');
  });

  it('says how long an event took from the acknowledgement to the order', () => {
    const { log, lines } = watch();
    log('verifier', { message: 'webhook accepted', request_id: 'r1', timestamp: '2026-11-02T09:31:02.100Z' });
    log('consumer', {
      ...handled,
      request_id: 'r1',
      outcome: 'applied',
      timestamp: '2026-11-02T09:31:02.141Z',
    });
    expect(lines()[1]).toBe('consumer    applied       transaction.paid  3f2a9c1e…  41 ms\n');
  });

  it('ignores metrics and empty lines', () => {
    const { liveLog, written } = watch();
    liveLog.onLine('verifier', '{"_aws":{"Timestamp":1},"SignatureMissing":1,"message":"x"}');
    liveLog.onLine('verifier', '');
    liveLog.onLine('verifier', '  \r');
    expect(written).toEqual([]);
    expect(liveLog.recent()).toEqual([]);
  });

  it('passes on a line that is no log line, without its escape sequences', () => {
    const { liveLog, written } = watch();
    liveLog.onLine('consumer', '\u001b]0;title\u0007Error: no \u001b[31mmemory\r\n    at x');
    liveLog.onLine('consumer', '[1]');
    expect(written).toEqual(['consumer: Error: no memory    at x\n', 'consumer: [1]\n']);
  });

  it('prints no field that is not on its list', () => {
    const { log, written, liveLog } = watch();
    log('consumer', {
      ...handled,
      outcome: 'applied',
      email: 'nobody@shop.example',
      error: { stack: 'secret' },
    });
    log('consumer', { customer: 'nobody@shop.example' });
    expect(written.join('')).not.toMatch(/nobody|secret/);
    expect(JSON.stringify(liveLog.recent())).not.toMatch(/nobody|secret/);
  });

  it('writes no control character that an event brought along', () => {
    const { log, written } = watch();
    const hostile = '\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u009b31m\r\nfake line\u202e\u2028\u0000x';
    const fields = {
      event_id: hostile,
      event_name: hostile,
      order_id: hostile,
      order_status: hostile,
      reason: hostile,
    };
    log('consumer', { message: 'event handled', outcome: hostile, error_name: hostile, ...fields });
    log('consumer', { message: hostile });
    log(hostile, handled);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(written.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(written.map((text) => text.split('\n').length)).toEqual([2, 2, 2]);
  });

  it('cuts what is too long for a line and shows other ids than UUIDs whole', () => {
    const { log, lines } = watch();
    log('consumer', {
      ...handled,
      event_id: 'event-0000000001',
      order_id: 'x'.repeat(500),
      outcome: 'applied',
    });
    expect(lines()[0]).toContain('  event-0000000001  ');
    expect(lines()[0]).toContain(`  ${'x'.repeat(39)}…`);
  });

  it('uses colours only when asked to', () => {
    const [plain, coloured] = [watch(false), watch(true)];
    for (const { log } of [plain, coloured]) log('consumer', { ...handled, outcome: 'applied' });
    expect(plain.written[0]).not.toContain('\u001b[');
    expect(coloured.written[0]).toContain('\u001b[32mapplied');
  });

  it('tells its subscribers until they leave', () => {
    const { log, liveLog } = watch();
    const heard: LiveLogEntry[] = [];
    const leave = liveLog.subscribe((entry) => heard.push(entry));
    log('consumer', { ...handled, order_id: 'order-1', outcome: 'applied', order_status: 'paid' });
    leave();
    log('consumer', { ...handled, order_id: 'order-1', outcome: 'duplicate', order_status: 'paid' });
    const fields = { mode: 'live', event_id: eventId, event_name: 'transaction.paid', order_id: 'order-1' };
    expect(heard).toEqual([
      {
        number: 1,
        at: '2026-11-02T09:31:02.114Z',
        stage: 'consumer',
        level: 'info',
        message: 'event handled',
        fields: { ...fields, outcome: 'applied', order_status: 'paid' },
        statusBefore: null,
        sinceAcceptedMilliseconds: null,
      },
    ]);
  });

  it('keeps the latest 200 entries', () => {
    const { log, liveLog } = watch();
    for (let count = 0; count < 203; count += 1) log('consumer', handled);
    expect(liveLog.recent().map(({ number }) => number)).toEqual(
      Array.from({ length: 200 }, (_, at) => at + 4),
    );
  });
});

describe('printable text', () => {
  it('counts characters and not halves of them', () => {
    expect(printable('😀😀😀', 3)).toBe('😀😀😀');
    expect(printable('😀😀😀😀', 3)).toBe('😀😀…');
  });
});
