import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

let pipeline: RunningPipeline;
const payhooks = (argv: readonly string[]) => spawnPayhooks([...argv, '--local', pipeline.baseUrl]);

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

describe('payhooks --local', () => {
  it('registers the webhook that an audit misses, and shows its deliveries', async () => {
    const missing = await payhooks(['webhooks', 'audit', '--json']);
    const [{ kind, command }] = JSON.parse(missing.stdout);
    expect([missing.code, kind]).toEqual([1, 'not_registered']);
    // The suggested command, as a shell would run it.
    const registered = await spawnPayhooks(command.split(' ').slice(2));
    expect([registered.code, (await payhooks(['webhooks', 'audit'])).code]).toEqual([0, 0]);
    const [{ id, url }] = JSON.parse((await payhooks(['webhooks', 'list', '--json'])).stdout);
    expect(url).toBe(`${pipeline.baseUrl}/webhooks/payments`);
    await pipeline.simulator.emit({ id: 'e-1', event_name: 'transaction.paid', sandbox: false, payload: {} });
    const history = JSON.parse((await payhooks(['webhooks', 'history', id, '--json'])).stdout);
    expect(history).toMatchObject([{ event_id: 'e-1', response_status: 202, is_retry_pending: false }]);
  });

  it('finds every delivered event stored', async () => {
    const { code, stdout } = await payhooks(['reconcile', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ stored: 1, missing: [], given_up: [], unreadable: 0 });
    expect(code).toBe(0);
  });

  it('sends a payment twice and a refund of it, and follows the order', async () => {
    const order = ['--order', 'order-cli', '--transaction', 'transaction-cli', '--follow'];
    const paid = await payhooks(['send', ...order, '--repeat', '2']);
    expect(paid.stdout).toContain('\norder-cli is paid after 1 event\n');
    const refund = await payhooks(['send', '--event', 'transaction.refunded', ...order, '--json']);
    expect(JSON.parse(refund.stdout)).toMatchObject({
      responses: [{ status: 202, body: '{"status":"accepted"}' }],
      order: { status: 'refunded', attention: [] },
    });
    const sandbox = await payhooks(['send', '--sandbox', ...order]);
    expect(sandbox.stdout).toContain('\norder-cli is paid after 1 event\n');
    expect([paid.code, refund.code, sandbox.code]).toEqual([0, 0, 0]);
  });
});
