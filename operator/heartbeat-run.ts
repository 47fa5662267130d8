import { setTimeout as pause } from 'node:timers/promises';
import type { SentHeartbeat } from '../lambdas/contract/heartbeat.ts';
import type { Deployed } from './aws/deployed-resources.ts';
import { type CheckResult, failed, passed } from './check-result.ts';
import type { Waits } from './limits.ts';
import { outputOf, type Stack } from './stack/stack.ts';

interface HeartbeatRun {
  readonly onProgress: (text: string) => void;
  readonly waits: Pick<Waits, 'heartbeatReturnMilliseconds' | 'heartbeatPollMilliseconds'>;
}

/**
 * Has the stack send a heartbeat, and waits until it has gone through verifier, queue, consumer, tables and
 * feed. Where it did not return, the queues show how far it got.
 */
export async function runHeartbeat(
  deployed: Deployed,
  { onProgress, waits }: HeartbeatRun,
): Promise<CheckResult> {
  const { stack } = deployed;
  const { invokeHeartbeat, heartbeatReturned } = await import('./aws/heartbeat-function.ts');
  const began = performance.now();
  const sent = await invokeHeartbeat(deployed);
  const { order_id: orderId } = sent;
  if (sent.status !== 202 || orderId === null) return refusal(sent);
  onProgress('The heartbeat was accepted; waiting until it returns …');
  const until = performance.now() + waits.heartbeatReturnMilliseconds;
  while (performance.now() < until) {
    const seconds = await heartbeatReturned(stack, orderId, Date.now() - (performance.now() - began));
    if (seconds !== undefined) {
      return passed(
        `sent 202 → queue → recorded → published → returned after ${Math.max(seconds, 0).toFixed(1)} s`,
      );
    }
    await pause(waits.heartbeatPollMilliseconds);
  }
  const seconds = waits.heartbeatReturnMilliseconds / 1_000;
  return placeOf(stack, `it was accepted, and did not return within ${seconds} s`);
}

function refusal({ status, error }: SentHeartbeat): CheckResult {
  if (status === null) {
    const unresolved = 'the DNS does not know the name: point your domain at the output WebhookDomainTarget';
    const fixes = /ENOTFOUND|EAI_AGAIN/.test(`${error}`) ? [unresolved] : [];
    return failed(`the heartbeat got no response: ${error}`, ...fixes, 'docs/runbook.md#heartbeatmissing');
  }
  const section = status >= 500 ? 'webhookservererrors' : 'heartbeatmissing';
  return failed(`the verifier refused the heartbeat with a ${status}`, `docs/runbook.md#${section}`);
}

/** Where a heartbeat is that was accepted and did not return. */
async function placeOf(stack: Stack, within: string): Promise<CheckResult> {
  const { queueDepth } = await import('./aws/queues.ts');
  const places = [
    ['EventQueueUrl', 'the consumer does not empty the event queue', 'eventsdelayed'],
    ['DeadLetterQueueUrl', 'there are dead letters', 'deadletterspresent'],
    ['FeedFailureQueueUrl', 'the order feed could not publish', 'feedfailurespresent'],
  ] as const;
  for (const [output, what, section] of places) {
    const depth = await queueDepth(stack, outputOf(stack, output));
    if (depth > 0) return failed(`${within}: ${what} (${depth})`, `docs/runbook.md#${section}`);
  }
  return failed(`${within}: the feed, the bus or its rule`, 'docs/runbook.md#heartbeatmissing');
}
