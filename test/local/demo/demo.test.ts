import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { closeServer, listen } from '@payhooks/cdk-local';
import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import { createSimulator, noRetries } from '@payhooks/payment-service/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { curlExample } from '../../../local/demo/curl-example.ts';
import { type DemoOptions, runDemo } from '../../../local/demo/demo.ts';
import { createLiveLog } from '../../../local/live-log/live-log.ts';
import { shellQuoted } from '../../../operator/shell-quoted.ts';
import { privateKey, type RunningPipeline, runPipeline, sandboxKey } from '../pipeline/running-pipeline.ts';

const run = promisify(execFile);
const liveLog = createLiveLog({ write: () => undefined, colours: false });
/** Never shows that an event was handled. */
const silentLog = createLiveLog({ write: () => undefined, colours: false });
let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: liveLog.onLine });
});
afterAll(() => pipeline.stop());

/** Or the next demo would register a second webhook for the same URL, and each of its events would come twice. */
afterEach(async () => {
  const { baseUrl } = pipeline.simulator;
  const client = createPaymentServiceClient({
    baseUrl,
    authentication: privateKeyAuthentication(privateKey),
  });
  const ids: string[] = [];
  for await (const { id } of client.allWebhooks()) ids.push(id);
  for (const id of ids) await client.deleteWebhook(id);
});

/** Runs the demo to its end, or until it writes `stopAt`. */
async function demo(options: Partial<DemoOptions> = {}, stopAt?: string) {
  const written: string[] = [];
  const stop = new AbortController();
  const { baseUrl, simulator } = pipeline;
  await runDemo({
    ...{ pipeline, showKey: true, liveLog, signal: stop.signal },
    write(text) {
      written.push(text);
      if (stopAt !== undefined && text.includes(stopAt)) stop.abort();
    },
    ...options,
  });
  const text = written.join('');
  const suffix = /end in -(\w+)/.exec(text)?.[1] ?? 'none';
  const stable = text
    .replaceAll(suffix, 'RUN')
    .replaceAll(baseUrl, 'BASE')
    .replaceAll(simulator.baseUrl, 'SERVICE')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'EVENT')
    .replace(/[0-9a-f]{8}…/g, 'EVENT');
  return { written, text, suffix, steps: stable.split(/\n\n/).slice(1) };
}

const events = 'transaction.paid,transaction.refunded,transaction.failed,transaction.disputed';
const waits = 'Event EVENT waits for a person as';
const noOrder = (number: number) => `There is no live order order-${number}-RUN.`;
const transcript = [
  ` 1. The webhook is registered
    POST SERVICE/api/v2/webhooks → webhook EVENT for live events
    in the service's dashboard → webhook EVENT for sandbox events
    npx payhooks webhooks register --events ${events} --local BASE`,
  ` 2. An order is paid
    transaction.paid 100.00 USD → 202 → order-1001-RUN is paid after 1 event.
    curl -s BASE/orders/order-1001-RUN`,
  ` 3. The same notification arrives again
    transaction.paid 100.00 USD → 202 → order-1002-RUN is paid after 1 event.
    transaction.paid 100.00 USD → 202 → order-1002-RUN is paid after 1 event.
    curl -s BASE/orders/order-1002-RUN`,
  ` 4. Part of a payment is refunded
    transaction.paid 80.00 USD → 202 → order-1003-RUN is paid after 1 event.
    transaction.refunded 30.00 USD → 202 → order-1003-RUN is partially_refunded after 2 events.
    curl -s BASE/orders/order-1003-RUN`,
  ` 5. A refund arrives before its payment
    transaction.refunded 25.00 USD → 202 → order-1004-RUN is refunded after 1 event.
      attention: A refund arrived, but no payment that it could belong to.
    transaction.paid 25.00 USD → 202 → order-1004-RUN is refunded after 2 events.
    curl -s BASE/orders/order-1004-RUN`,
  ` 6. A payment fails, the next one succeeds
    transaction.failed 60.00 USD → 202 → order-1005-RUN is failed after 1 event.
    transaction.paid 60.00 USD → 202 → order-1005-RUN is paid after 2 events.
    curl -s BASE/orders/order-1005-RUN`,
  ` 7. An order is paid twice
    transaction.paid 45.00 USD → 202 → order-1006-RUN is paid after 1 event.
    transaction.paid 45.00 USD → 202 → order-1006-RUN is paid after 2 events.
      attention: More than one transaction of this order is paid: possibly a double charge.
    curl -s BASE/orders/order-1006-RUN`,
  ` 8. A payment is disputed
    transaction.paid 60.00 USD → 202 → order-1007-RUN is paid after 1 event.
    transaction.disputed 60.00 USD → 202 → order-1007-RUN is paid after 2 events.
      attention: A payment is disputed or was charged back. The status does not show that.
    curl -s BASE/orders/order-1007-RUN`,
  ` 9. A sandbox payment stays in the sandbox
    transaction.paid 100.00 USD → 202 → order-1008-RUN is paid in the sandbox after 1 event. → ${noOrder(1008)}
    curl -s 'BASE/orders/order-1008-RUN?mode=sandbox'`,
  `10. A forged event is refused
    transaction.paid 0.01 USD → 403 → There is no live order order-1009-RUN.`,
  `11. The sandbox key signs an event that claims to be live
    transaction.paid 10.00 USD → 202 → ${waits} quarantined (sandbox_flag_disagrees). → ${noOrder(1010)}
    curl -s 'BASE/events/EVENT?mode=sandbox'`,
  `12. A signed body is not JSON
    53 bytes → 202 → The body waits for a person as unrecognised (not_json).`,
  `13. Two bodies arrive under one event id
    transaction.paid 75.00 USD → 202
    transaction.paid 57.00 USD → 202 → ${waits} conflict. → order-1012-RUN is paid after 1 event.
      attention: Two different bodies arrived under one event id. One of them counts; both are kept.
    curl -s BASE/orders/order-1012-RUN`,
  `14. A refund names no order, and its payment is not known
    transaction.refunded 20.00 USD → 202 → Event EVENT waits for a person as unassigned.
    curl -s BASE/events/EVENT`,
  `Follow the order feed, from now on or from its beginning:
    curl -N BASE/feed
    curl -N -H 'Last-Event-ID: 0' BASE/feed`,
];

describe('the demo', () => {
  it('shows each event, the status of the response and the result', async () => {
    const { steps, text } = await demo();
    expect(steps.slice(0, 15)).toEqual(transcript);
    expect(text).toContain(` -hmac ${privateKey} `);
    expect(
      steps[17],
    ).toBe(`Some of these events need a person, so their alarms fire now. What to do about each:
    npx payhooks status --local BASE`);
  });

  it('uses other order ids in a second run, and does not print a key that was given', async () => {
    const { steps, text } = await demo({ showKey: false });
    expect(steps.slice(0, 15)).toEqual(transcript);
    expect(text).toContain(' -hmac "$PRIVATE_KEY" ');
    expect(text).not.toContain(privateKey);
  });

  it('goes on when an accepted event is not handled in time', async () => {
    const { steps } = await demo({ patienceMilliseconds: 20, liveLog: silentLog });
    expect(steps[1]).toContain('100.00 USD → 202 → Not handled within 0.02 seconds.');
    expect(steps[11]).toContain('53 bytes → 202 → Not handled within 0.02 seconds.');
    expect(steps).toHaveLength(20);
  });

  it('goes on when nothing listens at the webhook URL', async () => {
    const closed = createServer();
    const baseUrl = await listen(closed, { host: '127.0.0.1', port: 0 });
    await closeServer(closed);
    const accounts = [{ name: 'shop', privateKey, sandboxKey }];
    const simulator = await createSimulator({ accounts, schedule: noRetries });
    onTestFinished(() => simulator.stop());
    const { written } = await demo({ pipeline: { ...pipeline, baseUrl, simulator } }, '3. ');
    const response = 'ECONNREFUSED → The response was ECONNREFUSED, not 202.';
    expect(written[4]).toBe(`    transaction.paid 100.00 USD → ${response}\n`);
  });

  it('ends without another line when it is stopped', async () => {
    expect((await demo({ liveLog: silentLog }, 'An order is paid')).written).toHaveLength(4);
  });

  it('rejects when the webhook cannot be registered', async () => {
    const keys = { ...pipeline.keys, live: 'pri_unknown' };
    await expect(demo({ pipeline: { ...pipeline, keys } })).rejects.toThrow('401');
  });
});

const hasTools = await run('sh', ['-c', 'command -v openssl && command -v curl']).then(
  () => true,
  () => false,
);

describe('the curl example', () => {
  it('signs and sends an event with openssl and curl alone', async ({ skip }) => {
    skip(!hasTools, 'This machine has no openssl or no curl.');
    const { signatureHeader } = pipeline.resources;
    const webhookUrl = `${pipeline.baseUrl}/webhooks/payments`;
    const command = curlExample({ webhookUrl, signatureHeader, privateKey });
    const withVariable = curlExample({ webhookUrl, signatureHeader });
    const env = { ...process.env, PRIVATE_KEY: privateKey };
    const responses = [
      await run('sh', ['-c', command]),
      await run('sh', ['-c', command.replace(privateKey, 'pri_wrong')]),
      await run('sh', ['-c', withVariable], { env }),
    ];
    expect(responses.map(({ stdout }) => JSON.parse(stdout))).toEqual([
      { status: 'accepted' },
      { message: 'Invalid signature' },
      { status: 'accepted' },
    ]);
  });

  it('quotes any key for the shell', async () => {
    const { stdout } = await run('sh', ['-c', `printf %s ${shellQuoted('pri_$(id)\'"`!\\;&')}`]);
    expect(stdout).toBe('pri_$(id)\'"`!\\;&');
  });
});
