import { MalformedTokenSecretError } from '../../lambdas/contract/token-secret.ts';
import { type CheckResult, failed, passed, skipped } from '../../operator/check-result.ts';
import { rowOf } from '../../operator/keys/key-rotation.ts';
import { entriesOf, openKeySecret } from '../../operator/keys/key-secret.ts';
import { deployCommandOf, stackOptionOf } from '../../operator/stack/stack.ts';
import { type CheckRunner, type Deployment, notInLocalMode } from './check-runner.ts';

/** Outputs that the other checks read. */
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
    deployment.stack.localUrl !== undefined
      ? skipped(notInLocalMode('CloudFormation'))
      : stackResult(deployment),
  );
}

async function stackResult({ stack }: Deployment): Promise<CheckResult> {
  const { name, outputs } = stack;
  const { describeStatus } = await import('../../operator/aws/stacks.ts');
  const { status, reason } = await describeStatus(name);
  if (/_IN_PROGRESS$/.test(status)) {
    return failed(`${name} is ${status}`, 'wait until the deployment has finished, then run it again');
  }
  if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) {
    const events = `aws cloudformation describe-stack-events --stack-name ${name}`;
    return failed(
      `${name} is ${status}${reason && `: ${reason}`}`,
      `${events}; then ${deployCommandOf(stack)}`,
    );
  }
  const missing = neededOutputs.filter((output) => !outputs[output]);
  if (missing.length > 0) {
    return failed(
      `${name} has no output ${missing.join(', ')}`,
      `an older version of payhooks deployed it: ${deployCommandOf(stack)}`,
    );
  }
  return passed(`${name} is ${status} with its ${Object.keys(outputs).length} outputs`);
}

/** Whether a live webhook can be verified. */
export async function checkLiveKey(runner: CheckRunner, { session, stack }: Deployment): Promise<void> {
  await runner.run('live key', async () => {
    const secret = await openKeySecret(stack);
    const entries = entriesOf(await secret.read());
    const live = entries
      .map((entry) => rowOf(entry, session.now()))
      .filter(({ mode, state }) => mode === 'live' && state !== 'expired');
    if (live.length > 0) {
      return passed(`the key secret holds ${live.map(({ id, state }) => `${id} (${state})`).join(', ')}`);
    }
    const what = entries.length === 0 ? 'no key, so every webhook gets a 503' : 'no accepted live key';
    return failed(`the key secret holds ${what}`, `npx payhooks keys set ${stackOptionOf(stack)}`);
  });
}

/** Whether the OAuth token of a stack is valid; a stack that uses the private key has none. */
export async function checkToken(runner: CheckRunner, deployment: Deployment): Promise<void> {
  if (!deployment.stack.outputs['TokenSecretArn']) return;
  await runner.run('OAuth token', () => tokenResult(deployment));
}

async function tokenResult(deployment: Deployment): Promise<CheckResult> {
  const option = stackOptionOf(deployment.stack);
  const set = `npx payhooks token set ${option}`;
  const refresh = `npx payhooks token refresh ${option}; docs/runbook.md#tokenrefreshfailed`;
  const { openStackToken } = await import('../../operator/aws/token-rotation.ts');
  try {
    const token = await openStackToken(deployment.stack).read();
    if (token === undefined) return failed('the token secret has no value, so no audit can run', set);
    const { accessToken, expiresAt } = token;
    if (accessToken === undefined) return failed('the token was never renewed', refresh);
    if (expiresAt === undefined) return passed('there is an access token without an expiry time');
    const when = new Date(expiresAt).toISOString();
    if (expiresAt <= deployment.session.now()) return failed(`the access token expired at ${when}`, refresh);
    return passed(`the access token is valid until ${when}`);
  } catch (error) {
    if (!(error instanceof MalformedTokenSecretError)) throw error;
    return failed('the token secret holds no token', set);
  }
}
