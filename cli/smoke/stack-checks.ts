import { deployCommandOf } from '../target/stack.ts';
import { type CheckResult, failed, passed, skipped } from './check-result.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, isLocal, notInLocalMode } from './deployment.ts';

/** Outputs that the other checks stand on. */
const neededOutputs = [
  'WebhookUrl',
  'SignatureHeader',
  'KeySecretArn',
  'OrderQueryUrl',
  'OrderQueryInvokeArn',
  'AlarmTopicArn',
];

export async function checkStack(runner: CheckRunner, deployment: Deployment): Promise<void> {
  await runner.run('stack', () =>
    isLocal(deployment) ? skipped(notInLocalMode('CloudFormation')) : stackResult(deployment),
  );
}

async function stackResult({ stack }: Deployment): Promise<CheckResult> {
  const { openStackState } = await import('../aws/stack-state.ts');
  const { status, reason } = await openStackState(stack.name).status();
  const events = `aws cloudformation describe-stack-events --stack-name ${stack.name}`;
  if (/_IN_PROGRESS$/.test(status)) {
    return failed(`${stack.name} is ${status}`, 'wait until the deployment has ended, and run it again');
  }
  if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) {
    const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
    return failed(`${stack.name} is ${status}${why}`, `${events}; then ${deployCommandOf(stack)}`);
  }
  const missing = neededOutputs.filter((output) => !stack.outputs[output]);
  if (missing.length > 0) {
    return failed(
      `${stack.name} has no output ${missing.join(', ')}`,
      `an older payhooks: ${deployCommandOf(stack)}`,
    );
  }
  return passed(`${stack.name} is ${status} with its ${Object.keys(stack.outputs).length} outputs`);
}
