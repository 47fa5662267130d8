import { createHash } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import { createSend, eventually } from '../acceptance/pipeline.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { createSigner, createUser, type Identity } from './aws-calls.ts';
import type { DeployedPipeline } from './deployed-pipeline.ts';
import { physicalId } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** What a user gets who may do nothing but invoke functions. */
async function invokeAs(ministack: MiniStack, credentials: Identity, name: string, payload: unknown) {
  const url = new URL(`/2015-03-31/functions/${name}/invocations`, ministack.endpoint);
  const body = JSON.stringify(payload);
  const headers = await createSigner(ministack, { service: 'lambda', credentials })(url, 'POST', body);
  const send = createSend({ method: 'POST', ca: ministack.certificate.ca });
  return send(`${url}`, Buffer.from(body), headers);
}

/** A made-up payment waits as unsealed; the same bytes from the verifier count all the same. */
export async function proveSeals(ministack: MiniStack, pipeline: DeployedPipeline): Promise<void> {
  const stranger = await createUser(ministack, 'stranger', '*', 'lambda:InvokeFunction');
  const consumer = await physicalId(ministack, 'ConsumerFunctionLambda');
  const body = bytesOf(paidEvent({ orderId: 'forged', transactionId: 'txn-forged' }));
  // Its seal is one of another stack.
  const forged = await invokeAs(ministack, stranger, consumer, sqsEvent({ body }));
  expect([forged.status, JSON.parse(forged.body)]).toEqual([200, { batchItemFailures: [] }]);
  const hash = createHash('sha256').update(body).digest('hex');
  const waits = await eventually(
    () => pipeline.waiting('unsealed'),
    (keys) => keys.length > 0,
  );
  expect(waits).toEqual([`live:body:${hash}`]);
  expect(await pipeline.rowsOfEvents(`live:event:${JSON.parse(String(body)).id}`)).toEqual([]);
  // Also when it is the only test that runs.
  await pipeline.putPrivateKeys();
  await eventually(
    () => pipeline.post(body),
    ({ status }) => status === 202,
  );
  await pipeline.order('forged', ({ status, sequence }) => status === 'paid' && sequence === 1);
  await pipeline.operations.dismiss({ body_sha256: hash, reason: 'a forgery of the test' });
}
