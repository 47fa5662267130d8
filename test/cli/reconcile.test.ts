import { noRetries, type SimulatorOptions } from '@payhooks/payment-service/simulator';
import { event, paidWebhook, runReceiver, runSimulator } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

// Otherwise an event that was acknowledged in this minute may still be on its way.
const waits = { deliveryRecentMilliseconds: 0 };

interface Given extends Pick<Partial<SimulatorOptions>, 'schedule'> {
  readonly statuses?: number[];
  readonly stored?: readonly string[];
}

/** A stack whose endpoint responds with these statuses to events of a simulated payment service. */
async function start({ statuses = [202], stored = [], ...options }: Given = {}) {
  const receiver = await runReceiver(...statuses);
  const simulator = await runSimulator(options);
  simulator.registerWebhook(paidWebhook(receiver.url));
  const stack = await startDeadLetterStack({ outputs: { WebhookUrl: receiver.url }, stored });
  const env = { PAYHOOKS_SERVICE_URL: simulator.baseUrl, PAYHOOKS_PRIVATE_KEY: 'pri_live' };
  const reconcile = (...argv: string[]) =>
    runPayhooks(['reconcile', ...argv, '--local', stack.url], { env, waits });
  return { ...stack, simulator, reconcile };
}

describe('payhooks reconcile', () => {
  it('shows what was acknowledged and is stored nowhere, and what to do', async () => {
    const { simulator, reconcile } = await start({ stored: ['e-1'] });
    await simulator.emit(event('e-1'));
    const equal = await reconcile();
    expect(equal.stdout).toMatch(/^Since 20.*Z: 1 stored, 0 missing, 0 given up, 0 dead letter, .*\n$/);
    await simulator.emit(event('e-2'));
    const { code, stdout } = await reconcile();
    const row = stdout.split('\n')[1]?.split(/ {2,}/);
    expect(row?.toSpliced(4, 1)).toEqual(['missing', 'transaction.paid', 'e-2', 'live', '202', '1']);
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

  it('judges no delivery before --since', async () => {
    const { simulator, reconcile } = await start();
    await simulator.emit(event('e-1'));
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(JSON.parse((await reconcile('--since', later, '--json')).stdout)).toMatchObject({ missing: [] });
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
