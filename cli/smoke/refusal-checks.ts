import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type CheckResult, failed, passed } from '../../operator/check-result.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { sendMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { deployCommandOf, outputOf, type Stack } from '../../operator/stack/stack.ts';
import { post, type WebhookResponse } from '../send/post.ts';
import type { RunCheck } from './check-runner.ts';

/** A well-formed key that the stack does not have, so that only the comparison can refuse it. */
const foreignKey = 'pri_sandbox_foreign';
const threats = 'docs/threat-model.md';
const orderId = 'payhooks-smoke';

interface Receiver {
  readonly stack: Stack;
  /** For a webhook API with mutual TLS. */
  readonly clientCertificate: ClientCertificate | undefined;
}

/** Forgeries must be refused, and all refusals must look alike. */
export async function checkForgeries(run: RunCheck, receiver: Receiver): Promise<void> {
  const body = bytesOf(paidEvent({ orderId, sandbox: true }));
  let first: WebhookResponse | undefined;
  const forge = async (what: string, signature: string | undefined): Promise<CheckResult> => {
    const refusal = await postForgery(receiver, body, signature);
    first ??= refusal;
    return refusalResult(what, refusal, first);
  };
  await run('missing signature', () => forge('without a signature', undefined));
  await run('foreign signature', () =>
    forge('signed with a foreign key', sign(createSigningKey(foreignKey), body)),
  );
}

/** From this machine, as a stranger would send it; without a signature the header is left out. */
async function postForgery(
  { stack, clientCertificate }: Receiver,
  body: Uint8Array,
  signature: string | undefined,
): Promise<WebhookResponse> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { [outputOf(stack, 'SignatureHeader')]: signature }),
  };
  return post({ url: new URL(outputOf(stack, 'WebhookUrl')), body, headers, clientCertificate });
}

function refusalResult(what: string, { status, body }: WebhookResponse, first: WebhookResponse): CheckResult {
  const got = `a webhook ${what} gets a ${status}`;
  if (status >= 200 && status < 300) return failed(`${got}: anyone can forge a payment`, threats);
  if (status !== 403) {
    const fix = 'check that the output WebhookUrl is the address of the verifier';
    return failed(`${got}, expected 403`, `docs/runbook.md#webhookservererrors; ${fix}`);
  }
  if (body !== first.body) {
    return failed(`${got} with the body ${body}, the first refusal had ${first.body}`, threats);
  }
  return passed(got);
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
