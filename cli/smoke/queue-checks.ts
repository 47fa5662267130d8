import { type CheckResult, failed, passed, skipped } from '../../operator/check-result.ts';
import { outputOf, revertDriftOf } from '../../operator/stack/stack.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, isLocal, notInLocalMode } from './deployment.ts';

/**
 * Whether only the event queue moves messages to the dead-letter queue. A schedule sets this, and no alarm
 * reports a schedule that fails.
 */
export async function checkDeadLetterSource(runner: CheckRunner, deployment: Deployment): Promise<void> {
  await runner.run('dead-letter source', () =>
    isLocal(deployment) ? skipped(notInLocalMode('redrive allow policies')) : sourceResult(deployment),
  );
}

async function sourceResult(deployment: Deployment): Promise<CheckResult> {
  const { stack } = deployment;
  const { readRedriveAllowPolicy } = await import('../../operator/aws/redrive-allow-policy.ts');
  const policy = await readRedriveAllowPolicy(outputOf(stack, 'DeadLetterQueueUrl'));
  const queueName = outputOf(stack, 'EventQueueUrl').split('/').at(-1);
  if (policy !== undefined && isOnlyFor(`${queueName}`, policy)) {
    return passed('only the event queue moves messages to the dead-letter queue');
  }
  return failed(
    'other queues may move messages to the dead-letter queue',
    'a schedule of the stack corrects it within an hour; after a first deployment, within a minute',
    `if it stays: ${revertDriftOf(deployment.stack)}`,
  );
}

function isOnlyFor(queueName: string, policy: string): boolean {
  const { redrivePermission, sourceQueueArns = [] } = JSON.parse(policy) as {
    readonly redrivePermission?: string;
    readonly sourceQueueArns?: readonly string[];
  };
  const names = sourceQueueArns.map((arn) => arn.split(':').at(-1));
  return redrivePermission === 'byQueue' && names.length === 1 && names[0] === queueName;
}
