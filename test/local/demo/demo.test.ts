import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoOptions, runDemo } from '../../../local/demo/demo.ts';
import { createLiveLog } from '../../../local/live-log/live-log.ts';
import { privateKey, type RunningPipeline, runPipeline } from '../pipeline/running-pipeline.ts';

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
    ...{ pipeline, liveLog, signal: stop.signal },
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

/** What the steps of the demo show, from the first on. */
const outcomes = [
  /POST SERVICE\/api\/v2\/webhooks → webhook EVENT for live events\n/,
  /An order is paid\n.*→ 202 → order-1001-RUN is paid after 1 event\.\n *curl -s BASE\/orders\/order-1001-RUN/,
  /(order-1002-RUN is paid after 1 event.*){2}/s,
  /order-1003-RUN is partially_refunded after 2 events/,
  /attention: A refund arrived, but no payment.*order-1004-RUN is refunded after 2 events/s,
  /order-1005-RUN is failed after 1 event.*order-1005-RUN is paid after 2 events/s,
  /order-1006-RUN is paid after 2 events\.\n.*possibly a double charge/,
  /order-1007-RUN is paid after 2 events\.\n.*disputed/,
  /order-1008-RUN is paid in the sandbox after 1 event\. → There is no live order/,
  /→ 403 → There is no live order order-1009-RUN/,
  /→ 202 → Event EVENT waits for a person as quarantined \(sandbox_flag_disagrees\)\./,
  /→ 202 → The body waits for a person as unrecognised \(not_json\)\./,
  /waits for a person as conflict\. → order-1012-RUN is paid after 1 event\.\n.*Two different events/,
  /→ 202 → Event EVENT waits for a person as unassigned\./,
  /curl -N BASE\/feed/,
];

describe('the demo', () => {
  it('shows each event, the status of the response and the result, and no key', async () => {
    const { steps, text } = await demo({ patienceMilliseconds: 60_000 });
    for (const [index, outcome] of outcomes.entries()) expect(steps[index]).toMatch(outcome);
    expect(text).not.toContain(privateKey);
    expect(steps[17]).toContain('npx payhooks status --local BASE');
  });

  it('goes on when an accepted event is not handled in time', async () => {
    const { steps } = await demo({ patienceMilliseconds: 20, liveLog: silentLog });
    expect(steps[1]).toContain('100.00 USD → 202 → Not handled within 0.02 seconds.');
    expect(steps[11]).toContain('53 bytes → 202 → Not handled within 0.02 seconds.');
    expect(steps).toHaveLength(20);
  });

  it('ends without another line when it is stopped', async () => {
    expect((await demo({ liveLog: silentLog }, 'An order is paid')).written).toHaveLength(4);
  });

  it('rejects when the webhook cannot be registered', async () => {
    const keys = { ...pipeline.keys, live: 'pri_unknown' };
    await expect(demo({ pipeline: { ...pipeline, keys } })).rejects.toThrow('401');
  });
});
