import { expect, it } from 'vitest';
import type { ActPlan, AlarmList, ConfirmRequest, PlanRequest } from '../../console/contract.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { stackName } from './deployment.ts';
import type { Target } from './target.ts';

/** `payhooks console` over a deployment in which nothing waits yet; the browser tests open its page. */
export function proveConsole(target: () => Target): void {
  it('payhooks console shows what a deployed stack holds, and acts, but not in a plan', async () => {
    const { ministack, pipeline, outputs } = target();
    await pipeline.post(eventBody({ id: 'paid-1', order: 'order-1' }));
    await pipeline.post(eventBody({ id: 'odd-1', order: null, transaction: 'lonely' }));
    await pipeline.order('order-1');
    await pipeline.event('odd-1');
    const argv = ['--stack', stackName, '--port', '0', '--no-browser'];
    const console = await startConsoleProcess(argv, ministack.environment);
    const json = async (path: string, init?: RequestInit) => (await console.request(path, init)).json();

    const document = await console.request('/console/orders/order-1');
    expect([document.status, await document.text()]).toEqual([200, expect.stringContaining('<script')]);
    expect(await json('/console/api/stack')).toMatchObject({
      ...{ name: stackName, kind: 'aws', account: '000000000000', region: ministack.region },
      ...{ webhook_url: outputs['WebhookUrl'], stack_option: `--stack ${stackName}` },
    });
    expect(await json('/orders/order-1')).toMatchObject({ order_id: 'order-1', status: 'paid' });
    expect(await json('/orders/none')).toMatchObject({ status: 404, waiting: [] });
    expect(await json('/operations/waiting?mode=live')).toMatchObject({
      events: [{ event_id: 'odd-1' }],
    });
    expect(await json('/operations/events?prefix=odd')).toMatchObject({
      events: [{ event_id: 'odd-1', outcome: 'unassigned', waiting: 'unassigned', amount: '100.00' }],
    });
    expect(await json('/console/api/status')).toMatchObject({ queues: { events: 0, dead_letters: 0 } });
    // MiniStack counts nothing for AWS itself.
    expect(await json('/console/api/series')).toMatchObject({
      accepted: Array.from({ length: 60 }, () => 0),
    });
    const { alarms } = (await json('/console/api/alarms')) as AlarmList;
    expect(alarms).toContainEqual(
      expect.objectContaining({ alarm: 'FeedFailuresPresent', severity: 'today' }),
    );
    // The test of smoke deleted it.
    expect(alarms.filter(({ state }) => state === 'deleted')).toMatchObject([
      { alarm: 'DeadLettersPresent' },
    ]);
    expect(await json('/console/api/dead-letters')).toMatchObject({ depth: 0, groups: [] });

    const dismissal: PlanRequest = { act: { act: 'dismiss', event_id: 'odd-1' } };
    const post = (path: string, body: object) => json(path, { method: 'POST', body: JSON.stringify(body) });
    const { is_needed, effect, by } = (await post('/console/api/acts/plan', dismissal)) as ActPlan;
    expect(is_needed).toBe(true);
    expect(await json('/operations/waiting?mode=live')).toMatchObject({ events: [{ event_id: 'odd-1' }] });

    const request = { ...dismissal, shown: { effect, by }, reason: 'a test event', is_repetition: false };
    await post('/console/api/acts/confirm', request satisfies ConfirmRequest);
    expect(await json('/operations/waiting?mode=live')).toMatchObject({ events: [] });
    expect((await console.end('SIGINT')).code).toBe(130);
  });
}
