import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type CheckResult, failed, passed } from '../../operator/check-result.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { sendMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { deployCommandOf, outputOf, type Stack } from '../../operator/stack/stack.ts';
import { isAccepted, post, type WebhookResponse } from '../send/post.ts';
import type { RunCheck } from './report.ts';

/** A well-formed key that the stack does not have, so that only the comparison can refuse it. */
const foreignKey = 'pri_sandbox_foreign';
const threats = 'docs/threat-model.md';
const orderId = 'payhooks-smoke';

/** Forgeries must be refused, and all refusals must look alike. */
export async function checkForgeries(
  run: RunCheck,
  stack: Stack,
  clientCertificate: ClientCertificate | undefined,
): Promise<void> {
  const body = bytesOf(paidEvent({ orderId, sandbox: true }));
  let first: WebhookResponse | undefined;
  for (const name of ['missing signature', 'foreign signature']) {
    await run(name, async () => {
      const signature = sign(createSigningKey(foreignKey), body);
      const headers = {
        'content-type': 'application/json',
        ...(name === 'foreign signature' && { [outputOf(stack, 'SignatureHeader')]: signature }),
      };
      const url = new URL(outputOf(stack, 'WebhookUrl'));
      const refusal = await post({ url, body, headers, clientCertificate });
      first ??= refusal;
      return refusalResult(`a webhook with a ${name} gets a ${refusal.status}`, refusal, first);
    });
  }
}

function refusalResult(got: string, { status, body }: WebhookResponse, first: WebhookResponse): CheckResult {
  if (isAccepted(status)) return failed(`${got}: anyone can forge a payment`, threats);
  if (status !== 403) {
    const fix = 'check that the output WebhookUrl is the address of the verifier';
    return failed(`${got}, expected 403`, `docs/runbook.md#webhookservererrors; ${fix}`);
  }
  if (body === first.body) return passed(got);
  return failed(`${got} with the body ${body}, the first refusal had ${first.body}`, threats);
}

/** A query without a signature must be refused. */
export async function unsignedResult(stack: Stack): Promise<CheckResult> {
  const url = `${outputOf(stack, 'OrderQueryUrl')}/orders/${orderId}?mode=sandbox`;
  const signal = AbortSignal.timeout(sendMilliseconds);
  const { status } = await fetch(url, { redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new CommandError('unreachable', `${url} did not respond: ${reasonOf(cause)}.`, { cause });
  });
  if (status === 403) return passed('an unsigned request gets a 403');
  return failed(
    `an unsigned request gets a ${status}, expected 403: anyone can read orders`,
    `${deployCommandOf(stack)}; docs/threat-model.md`,
  );
}
