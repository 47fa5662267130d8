import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { noRetries, type SimulatorOptions } from '@payhooks/payment-service/simulator';
import { event, paidWebhook, runReceiver, runSimulator } from '@payhooks/payment-service/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';
import { startTables } from '../doubles/local-tables.ts';
import { runPayhooks } from './payhooks-process.ts';

// Otherwise an event that was acknowledged in this minute may still be on its way.
const waits = { deliveryRecentMilliseconds: 0 };

interface Given extends Pick<Partial<SimulatorOptions>, 'schedule' | 'clock'> {
  readonly statuses?: number[];
  readonly stored?: readonly string[];
  /** The address of a table of events. */
  readonly dynamodb?: string;
}

/** A stack whose endpoint responds with these statuses to events of a simulated payment service. */
async function start({ statuses = [202], stored = [], dynamodb, ...options }: Given = {}) {
  const receiver = await runReceiver(...statuses);
  const simulator = await runSimulator(options);
  simulator.registerWebhook(paidWebhook(receiver.url));
  const stack = await startDeadLetterStack({
    outputs: { WebhookUrl: receiver.url, EventsTableName: 'events' },
    ...{ stored, dynamodb },
  });
  const env = { PAYHOOKS_SERVICE_URL: simulator.baseUrl, PAYHOOKS_PRIVATE_KEY: 'pri_live' };
  const reconcile = (...argv: string[]) =>
    runPayhooks(['reconcile', ...argv, '--local', stack.url], {
      ...{ env, waits },
      ...(options.clock && { now: options.clock }),
    });
  return { ...stack, simulator, reconcile };
}

/** A table with events that were received at these times. */
async function startEvents(rows: Readonly<Record<string, number>>) {
  const { client, emulator, close } = await startTables();
  onTestFinished(close);
  for (const [id, at] of Object.entries(rows)) {
    const S = new Date(at).toISOString();
    const Item = { event_key: { S: id }, record: { S: 'event' }, received_at: { S }, recorded_at: { S } };
    await client.send(new PutItemCommand({ TableName: 'events', Item }));
  }
  return emulator.endpoint;
}

describe('payhooks reconcile', () => {
  it('lists what is stored in its time and unknown to the payment service, and nothing too new', async () => {
    const at = (time: string) => Date.parse(`2026-11-21T${time}:00Z`);
    const dynamodb = await startEvents({
      ...{ 'live:event:known': at('11:30'), 'live:event:forged': at('11:30') },
      ...{ 'live:event:new': at('12:50'), 'live:event:old': at('10:30') },
      ...{ 'heartbeat:event:beat': at('11:30'), 'sandbox:event:unregistered': at('11:30') },
    });
    let now = at('10:00');
    const { simulator, reconcile } = await start({ dynamodb, stored: ['known'], clock: () => now });
    now = at('11:30');
    await simulator.emit(event('known'));
    now = at('13:00');
    const { code, stdout } = await reconcile('--since', '2026-11-21T11:00:00Z');
    expect([code, stdout]).toEqual([1, expect.stringContaining('unknown  live  forged  received 20')]);
    expect(stdout).toContain('1 unknown to the service.');
  });

  it('shows what was acknowledged and is stored nowhere, and what to do', async () => {
    const { simulator, reconcile } = await start({ stored: ['e-1'] });
    await simulator.emit(event('e-1'));
    const equal = await reconcile();
    expect(equal.stdout).toMatch(
      /^No, nothing was lost: 1 event .* is stored, from .* \(UTC 20.*Z to 20.*Z\)\.\n1 stored, 0 missing/,
    );
    await simulator.emit(event('e-2'));
    const { code, stdout } = await reconcile();
    const row = stdout.split('\n')[2]?.split(/ {2,}/);
    expect(row?.toSpliced(4, 1)).toEqual(['missing', 'transaction.paid', 'e-2', 'live', '202', '1']);
    expect(stdout).toMatch(/^Yes: 1 event of the payment service is not stored, /);
    expect(stdout).toContain('missing: Have the payment service send them again');
    expect([equal.code, code]).toEqual([0, 1]);
  });

  it('shows what the payment service has given up on, with the last response', async () => {
    const { simulator, reconcile } = await start({ statuses: [503], schedule: noRetries });
    await simulator.emit(event('e-1'));
    const { code, stdout } = await reconcile('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      missing: [],
      given_up: [{ event_id: 'e-1', response_status: 503, attempts: 1 }],
    });
    expect(code).toBe(1);
  });

  it('takes a dead letter and an event of a queue that is not empty for no missing event', async () => {
    const { simulator, reconcile, bury, sqs, events } = await start();
    const body = event('e-1');
    await simulator.emit(body);
    await bury({ body: Buffer.from(JSON.stringify(body)) });
    expect(JSON.parse((await reconcile('--json')).stdout)).toMatchObject({
      missing: [],
      dead_letters: [{ event_id: 'e-1' }],
    });
    await simulator.emit(event('e-2'));
    await sqs.sendMessage({ QueueUrl: events, MessageBody: 'anything' });
    const { code, stdout } = await reconcile('--json');
    expect(JSON.parse(stdout)).toMatchObject({ missing: [], maybe_queued: [{ event_id: 'e-2' }] });
    expect(code).toBe(0);
  });

  it('shows what is still retried, and does not fail for it', async () => {
    const schedule = { ...noRetries, pausesMilliseconds: [60_000] };
    const { simulator, reconcile } = await start({ statuses: [503], schedule });
    void simulator.emit(event('e-1'));
    await expect.poll(() => simulator.deliveries()[0]?.delivery.attempts).toHaveLength(1);
    const { code, stdout } = await reconcile('--json');
    expect(JSON.parse(stdout)).toMatchObject({ retrying: [{ event_id: 'e-1', response_status: 503 }] });
    expect(code).toBe(0);
  });

  it('judges no delivery outside its time', async () => {
    const { simulator, reconcile } = await start();
    await simulator.emit(event('e-1'));
    const { stdout } = await reconcile('--since', '2h', '--until', '1h', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ missing: [] });
  });

  it('fails when the URL is not registered', async () => {
    const { simulator, reconcile } = await start();
    const { data } = (await simulator.request('GET /api/v2/webhooks')).json;
    await simulator.request(`DELETE /api/v2/webhooks/${data[0].id}`);
    const { code, stderr } = await reconcile();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('is not registered, so there is no history of it'),
    ]);
  });
});
