import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { type CheckResult, failed, passed, skipped } from '../../operator/check-result.ts';
import type { WebhookResponse } from '../send/post.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, orderIdOf } from './deployment.ts';
import type { SigningKeyText } from './key-checks.ts';
import { postWebhook, signatureOf } from './webhook.ts';

/** A well-formed key that the stack does not have, so that only the comparison can refuse it. */
const foreignKey = 'pri_sandbox_foreign';
const threats = 'docs/threat-model.md';

/** Forgeries must be refused, and all refusals must look alike. `key` is one that the stack accepts. */
export async function checkForgeries(
  runner: CheckRunner,
  deployment: Deployment,
  key: SigningKeyText,
): Promise<void> {
  const body = bytesOf(paidEvent({ orderId: orderIdOf(deployment, 'forged'), sandbox: true }));
  let first: WebhookResponse | undefined;
  const post = async (what: string, signature: string | undefined): Promise<CheckResult> => {
    const refusal = await postWebhook(deployment, body, signature);
    first ??= refusal;
    return refusalResult(what, refusal, first);
  };
  await runner.run('missing signature', () => post('without a signature', undefined));
  await runner.run('foreign signature', () =>
    post('signed with a foreign key', signatureOf(foreignKey, body)),
  );
  await runner.run('upper-case signature', () =>
    key === undefined
      ? skipped('no payment was accepted')
      : post('with the right signature in upper case', signatureOf(key, body).toUpperCase()),
  );
}

function refusalResult(what: string, { status, body }: WebhookResponse, first: WebhookResponse): CheckResult {
  const got = `a webhook ${what} gets a ${status}`;
  if (status >= 200 && status < 300) return failed(`${got}: anyone can forge a payment`, threats);
  if (status === 503) return failed(`${got}, expected 403`, 'docs/runbook.md#webhookservererrors');
  if (status !== 403) {
    const fix = 'check that the output WebhookUrl is the address of the verifier';
    return failed(`${got}, expected 403`, `${fix}; docs/runbook.md#webhookservererrors`);
  }
  if (body !== first.body) {
    return failed(`${got} with the body ${body}, the first refusal had ${first.body}`, threats);
  }
  return passed(got);
}
