import { lookup } from 'node:dns/promises';
import { MalformedSecretError } from '../../lambdas/contract/key-secret.ts';
import { type CheckResult, failed, passed, unknown } from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { runHeartbeat } from '../../operator/heartbeat-run.ts';
import { readEntries } from '../../operator/keys.ts';
import { CommandError, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand, outputOf, type Stack } from '../../operator/stack/stack.ts';
import { setKey } from '../keys/command.ts';
import { readPrivateKey } from '../private-keys.ts';
import { privateKeyVariable, type Session, variable } from '../session.ts';
import { liveKeyResult, subscriptionResult, tokenResult } from '../smoke/checks.ts';
import { refreshToken, setToken } from '../token/command.ts';
import { registerWebhook } from '../webhooks/registration.ts';
import type { DeployOptions, Step } from './steps.ts';

interface SetUp {
  readonly step: Step;
  readonly stack: Stack;
}

type KeyOptions = Pick<DeployOptions, 'keyFile'>;

/** What a deployed stack needs before the first webhook. Returns what the exit code depends on. */
export async function setUp(
  session: Session,
  { json, context, ...options }: DeployOptions,
  { step, stack }: SetUp,
): Promise<readonly CheckResult[]> {
  const { env, now, terminal, waits } = session;
  const later = (error: unknown) => unknown(explainError(error, env).message);
  await step('alarm topic', () => subscriptionResult(stack, 'AlarmTopicArn', 'the alarm topic').catch(later));

  const hasKey = () => liveKeyResult(stack, now()).catch(unreadable);
  const isGiven = options.keyFile !== undefined || variable(session, privateKeyVariable) !== undefined;
  const liveKey = await step('live key', async () => {
    const result = await unlessDone(hasKey, async () => {
      if (!isGiven && !session.input.isTerminal) {
        const message = `${stack.name} has no live key. Give one: --key-file FILE, or ${privateKeyVariable}.`;
        throw new CommandError('wrongUsage', message);
      }
      await setKey(session, options);
    });
    if (isGiven) await refuseOtherKey(session, options, stack);
    return result;
  });
  const results = [liveKey];

  if (stack.outputs['TokenSecretArn']) {
    const token = await step('OAuth token', () =>
      unlessDone(
        () => tokenResult(stack, now()),
        async () => {
          const { openStackToken } = await import('../../operator/aws/token-rotation.ts');
          if ((await openStackToken(stack).readTokens()) === undefined) await setToken(session, options);
          await refreshToken(session, { ...options, yes: true });
        },
      ),
    );
    results.push(token);
  }

  const webhook = await step('webhook', async () => {
    const [url, events] = [outputOf(stack, 'WebhookUrl'), outputOf(stack, 'RequiredEvents')];
    if (!stack.outputs['PaymentServiceBaseUrl'] && variable(session, 'PAYHOOKS_SERVICE_URL') === undefined) {
      return unknown(
        'the address of the payment service is not known, so nothing was registered',
        `register ${url} in its dashboard, live, for ${events}`,
      );
    }
    if (liveKey.status !== 'passed') return failed('without a live key, nothing was registered');
    const { WebhookDomainTarget: target } = stack.outputs;
    const { hostname } = new URL(url);
    if (target && (await lookup(hostname).catch(() => undefined)) === undefined)
      return failed(`the DNS does not know ${hostname}, so nothing was registered`, `point it at ${target}`);
    if ((await registerWebhook(session, options)) === exitCodes.done) return passed(`${url} is registered`);
    return failed(`${url} is not registered`);
  });

  const heartbeat = await step('heartbeat', async () => {
    const { describeDeployed } = await import('../../operator/aws/deployed-resources.ts');
    const send = async () =>
      runHeartbeat(await describeDeployed(stack), { onProgress: terminal.progress, waits });
    return send().catch((error: unknown) => failed(explainError(error, env).message));
  });
  return [...results, webhook, heartbeat];
}

/** With the key of another account, the webhook would be registered there, and what it sends refused here. */
async function refuseOtherKey(session: Session, { keyFile }: KeyOptions, stack: Stack): Promise<void> {
  const ofFile = keyFile && (await readPrivateKey(session, { keyFile, prompt: '' }));
  const stored = (await readEntries(stack)).map(({ key }) => key);
  const given = [ofFile, variable(session, privateKeyVariable)?.trim()];
  if (given.every((key) => !key || stored.includes(key))) return;
  const rotate = `to rotate it: ${nextCommand(stack, 'payhooks keys add')}`;
  const message = `The given key is not that of ${stack.name}. To use the stored one, give none; ${rotate}`;
  throw new CommandError('wrongUsage', message);
}

/** `keys set` replaces a value that is no list of keys. */
function unreadable(error: unknown): CheckResult {
  if (error instanceof MalformedSecretError) return failed(error.message);
  throw error;
}

/** Looks, and does the work only if it is not done; then looks again. */
async function unlessDone(
  look: () => Promise<CheckResult>,
  work: () => Promise<unknown>,
): Promise<CheckResult> {
  const before = await look();
  if (before.status === 'passed') return passed(`already done: ${before.message}`);
  await work();
  return look();
}
