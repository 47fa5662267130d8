import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { WebhookResponse } from '../send/post.ts';
import { type Finding, failed, passed, skipped } from './check.ts';
import type { Checks } from './checks.ts';
import { type Deployment, orderIdOf } from './deployment.ts';
import type { SigningKeyText } from './key-checks.ts';
import { postWebhook, signatureOf } from './webhook.ts';

/** A key that nobody else has; its form is right, so that nothing but the comparison refuses it. */
const foreignKey = 'pri_sandbox_of_nobody';

/** What must be refused is refused, and every refusal looks alike. `key` is one that the stack accepts. */
export async function checkForgeries(
  checks: Checks,
  deployment: Deployment,
  key: SigningKeyText,
): Promise<void> {
  const body = bytesOf(paidEvent({ orderId: orderIdOf(deployment, 'forged'), sandbox: true }));
  const refusals: WebhookResponse[] = [];
  const refused = async (what: string, signature: string | undefined): Promise<Finding> => {
    const answer = await postWebhook(deployment, { body, signature });
    refusals.push(answer);
    return refusalFinding(what, answer, refusals[0] ?? answer);
  };
  await checks.run('without a signature', () => refused('without a signature', undefined));
  await checks.run('foreign signature', () =>
    refused('signed with a key that is not ours', signatureOf(foreignKey, body)),
  );
  await checks.run('upper-case signature', () =>
    key === undefined
      ? skipped('no payment was accepted')
      : refused('with the right signature in upper case', signatureOf(key, body).toUpperCase()),
  );
}

function refusalFinding(what: string, { status, body }: WebhookResponse, first: WebhookResponse): Finding {
  if (status >= 200 && status < 300) {
    return failed(
      `a webhook ${what} was answered ${status}: anybody can forge a payment`,
      'docs/security.md',
    );
  }
  if (status === 503) {
    return failed(`a webhook ${what} was answered 503`, 'docs/runbook.md#keysunavailable');
  }
  if (status !== 403) {
    const where = 'is the output WebhookUrl that of the verifier? docs/runbook.md#webhookservererrors';
    return failed(`a webhook ${what} was answered ${status}, expected 403`, where);
  }
  if (body !== first.body) {
    const told = `it says ${body}, and the first refusal ${first.body}`;
    return failed(`a webhook ${what} is refused in other words: ${told}`, 'docs/security.md');
  }
  return passed(`a webhook ${what} is answered 403, as every forgery`);
}
