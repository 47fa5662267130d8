import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createSimulator, noRetries } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { shellQuoted } from '../../cli/printable.ts';
import { ownEventCommand } from '../../local/demo/own-event.ts';
import { type StoryOptions, tellStory } from '../../local/demo/story.ts';
import { createLiveLog } from '../../local/live-log/live-log.ts';
import { type FakePipeline, privateKey, sandboxKey, startFakePipeline } from './fake-pipeline.ts';

const run = promisify(execFile);

async function tell(pipeline: Pick<FakePipeline, 'baseUrl'>, options: Partial<StoryOptions> = {}) {
  const written: string[] = [];
  const accounts = [{ name: 'shop', privateKey, sandboxKey }];
  const paymentService = await createSimulator({ accounts, schedule: noRetries });
  await tellStory({
    baseUrl: pipeline.baseUrl,
    paymentService,
    privateKey,
    sandboxKey,
    signatureHeader: 'X-SERVICE-SIGNATURE',
    showKey: true,
    write: (text) => written.push(text),
    signal: new AbortController().signal,
    ...options,
  }).finally(() => paymentService.stop());
  const text = written.join('');
  const suffix = /this run: …-(\w+)/.exec(text)?.[1] ?? 'none';
  /** The same text for every run: without its suffix, its port and its event ids. */
  const told = text
    .replaceAll(suffix, 'RUN')
    .replaceAll(pipeline.baseUrl, 'BASE')
    .replaceAll(paymentService.baseUrl, 'SERVICE')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'EVENT')
    .replace(/[0-9a-f]{8}…/g, 'EVENT');
  return { written, text, suffix, steps: told.split(/\n\n/).slice(1) };
}

const events = 'transaction.paid,transaction.refunded,transaction.failed,transaction.disputed';

const silentLog = () => createLiveLog({ write: () => undefined, colours: false });

describe('the story', () => {
  it('tells what was sent, the answer, and what the pipeline made of it', async () => {
    const liveLog = silentLog();
    await using pipeline = await startFakePipeline({ liveLog });
    const { steps } = await tell(pipeline, { liveLog });
    expect(steps.slice(0, 13)).toEqual([
      ` 1. The webhook is registered
    POST SERVICE/api/v2/webhooks → webhook EVENT for live events
    in the service's dashboard → webhook EVENT for sandbox events
    npx payhooks webhooks register --events ${events} --local BASE`,
      ` 2. An order is paid
    transaction.paid 100.00 USD → 202 → order-1001-RUN is paid after 1 event
    curl -s BASE/orders/order-1001-RUN`,
      ` 3. The same notification arrives once more
    transaction.paid 100.00 USD → 202 → duplicate; order-1001-RUN is paid after 1 event
    curl -s BASE/orders/order-1001-RUN`,
      ` 4. The money goes back
    transaction.refunded 100.00 USD → 202 → order-1001-RUN is refunded after 2 events
    curl -s BASE/orders/order-1001-RUN`,
      ` 5. A refund overtakes its payment
    transaction.refunded 25.00 USD → 202 → order-1002-RUN is refunded after 1 event
      look at it: A refund arrived, but no payment that it could belong to.
    transaction.paid 25.00 USD → 202 → order-1002-RUN is refunded after 2 events
    curl -s BASE/orders/order-1002-RUN`,
      ` 6. A payment fails, the next one succeeds
    transaction.failed 60.00 USD → 202 → order-1003-RUN is failed after 1 event
    transaction.paid 60.00 USD → 202 → order-1003-RUN is paid after 2 events
    curl -s BASE/orders/order-1003-RUN`,
      ` 7. A part of the money goes back
    transaction.paid 80.00 USD → 202 → order-1004-RUN is paid after 1 event
    transaction.refunded 30.00 USD → 202 → order-1004-RUN is partially_refunded after 2 events
    curl -s BASE/orders/order-1004-RUN`,
      ` 8. One order is paid twice
    transaction.paid 45.00 USD → 202 → order-1005-RUN is paid after 1 event
    transaction.paid 45.00 USD → 202 → order-1005-RUN is paid after 2 events
      look at it: More than one transaction of this order is paid: possibly a double charge.
    curl -s BASE/orders/order-1005-RUN`,
      ` 9. A forgery
    transaction.paid 0.01 USD → 403 → nothing recorded: /orders/order-1006-RUN answers 404
    curl -s BASE/orders/order-1006-RUN`,
      `10. A sandbox payment stays in the sandbox
    transaction.paid 10.00 USD → 202 → order-1007-RUN is paid in the sandbox after 1 event
    curl -s 'BASE/orders/order-1007-RUN?mode=sandbox'`,
      `11. A sandbox key signs an event that calls itself live
    transaction.paid 10.00 USD → 202 → event EVENT is quarantined (sandbox_flag_disagrees)
    curl -s 'BASE/events/EVENT?mode=sandbox'`,
      `12. An event name that nobody has documented
    transaction.disputed 60.00 USD → 202 → order-1003-RUN is paid after 3 events
    curl -s BASE/orders/order-1003-RUN`,
      `13. A signed body that is not JSON
    25 bytes → 202 → unrecognised; its bytes are kept`,
    ]);
    expect(
      steps[13],
    ).toBe(`The feed tells order systems of each change; follow it, or replay what it has told so far:
    curl -N BASE/feed
    curl -N -H 'Last-Event-ID: 0' BASE/feed`);
  });

  it('shows an order id only with the suffix of its run, so that it may run again', async () => {
    await using pipeline = await startFakePipeline();
    const [first, second] = [await tell(pipeline), await tell(pipeline)];
    expect(first.suffix).not.toBe(second.suffix);
    expect(first.steps.slice(0, 13)).toEqual(second.steps.slice(0, 13));
  });

  it('says so when an accepted event does not show, and goes on', async () => {
    await using pipeline = await startFakePipeline({ handles: false, liveLog: silentLog() });
    const { steps } = await tell(pipeline, { patienceMilliseconds: 20, liveLog: silentLog() });
    expect(steps[1]).toContain(
      'transaction.paid 100.00 USD → 202 → accepted, but not to be seen within 0.02 s',
    );
    expect(steps[12]).toContain('25 bytes → 202 → accepted, but not to be seen within 0.02 s');
    expect(steps).toHaveLength(18);
  });

  it('ends at once and without a word when it is stopped', async () => {
    await using pipeline = await startFakePipeline({ handles: false });
    const stop = new AbortController();
    const written: string[] = [];
    const write = (text: string): void => {
      written.push(text);
      if (text.includes('An order is paid')) stop.abort();
    };
    await tell(pipeline, { write, signal: stop.signal });
    expect(written).toHaveLength(4);
    expect(pipeline.requests).toEqual([]);
  });

  it('says so when the webhook cannot be registered', async () => {
    await using pipeline = await startFakePipeline();
    await expect(tell(pipeline, { privateKey: 'pri_of_nobody' })).rejects.toThrow('401');
    expect(pipeline.requests).toEqual([]);
  });

  it('goes on when nobody listens', async () => {
    const pipeline = await startFakePipeline();
    await pipeline[Symbol.asyncDispose]();
    const stop = new AbortController();
    const written: string[] = [];
    const write = (text: string): void => {
      written.push(text);
      if (text.includes('3. ')) stop.abort();
    };
    await tell(pipeline, { write, signal: stop.signal });
    expect(written[4]).toBe('    transaction.paid 100.00 USD → ECONNREFUSED → not accepted\n');
  });

  it('prints the key only when it is a throw-away one', async () => {
    await using pipeline = await startFakePipeline();
    const [shown, hidden] = [await tell(pipeline), await tell(pipeline, { showKey: false })];
    expect(shown.text).toContain(` -hmac ${privateKey} `);
    expect(hidden.text).not.toContain(privateKey);
    expect(hidden.text).toContain(' -hmac "$PRIVATE_KEY" ');
  });
});

const tools = await run('sh', ['-c', 'command -v openssl && command -v curl']).then(
  () => true,
  () => false,
);

describe('the command for an event of one’s own', () => {
  it.skipIf(!tools)('signs and sends with openssl and curl alone', async () => {
    await using pipeline = await startFakePipeline();
    const webhookUrl = `${pipeline.baseUrl}/webhooks/payments`;
    const command = ownEventCommand({ webhookUrl, signatureHeader: 'X-SERVICE-SIGNATURE', privateKey });
    await run('sh', ['-c', command]);
    await run('sh', ['-c', command.replace(privateKey, 'pri_wrong')]);
    const fromVariable = ownEventCommand({ webhookUrl, signatureHeader: 'X-SERVICE-SIGNATURE' });
    await run('sh', ['-c', fromVariable], { env: { ...process.env, PRIVATE_KEY: privateKey } });
    expect(pipeline.requests).toEqual([
      'POST /webhooks/payments 202',
      'POST /webhooks/payments 403',
      'POST /webhooks/payments 202',
    ]);
  });

  it('quotes whatever a key may hold', async () => {
    const { stdout } = await run('sh', ['-c', `printf %s ${shellQuoted('pri_$(id)\'"`!\\;&')}`]);
    expect(stdout).toBe('pri_$(id)\'"`!\\;&');
  });
});
