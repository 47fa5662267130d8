import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { createSqsEvent } from '@payhooks/cdk-local/emulators';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type Run, runInstance } from './instance.ts';
import { type PipelineName, privateKey, type Stack, signatureHeader } from './stack.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:events';

/** What the API passes on: of an HTTP API for payhooks, of a REST API for the baseline. */
export function webhookEvent(
  name: PipelineName,
  body: Uint8Array,
  signature = sign(createSigningKey(privateKey), body),
): object {
  const headers = { 'content-type': 'application/json', [signatureHeader]: signature };
  const common = { isBase64Encoded: false, headers, body: Buffer.from(body).toString() };
  // As long as API Gateway's.
  const requestId = 'JKJaXmPLvHcESHA=';
  if (name === 'payhooks') return { ...common, requestContext: { requestId, http: {} } };
  const path = '/webhooks/payments';
  return { ...common, httpMethod: 'POST', path, resource: path, requestContext: { requestId, path } };
}

/** The messages of a pipeline's queue as one batch, which the queue then forgets. */
export async function takeBatch({ sqs, queueUrls }: Stack, name: PipelineName): Promise<object> {
  const QueueUrl = queueUrls[name];
  const all = { MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All' as const] };
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, ...all });
  for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
  return createSqsEvent(Messages, queueArn);
}

/** Delivers a webhook through both functions of a pipeline, each in a new process. */
export async function deliver(
  stack: Stack,
  name: PipelineName,
  body: Uint8Array,
): Promise<Readonly<Record<'receive' | 'record', Run>>> {
  const { receive, record } = stack.functions[name];
  const received = await runInstance(receive, [webhookEvent(name, body)]);
  return { receive: received, record: await runInstance(record, [await takeBatch(stack, name)]) };
}

/** The status of an order by the rows of a pipeline. */
export async function statusOf({ dynamoDb }: Stack, name: PipelineName, orderId: string) {
  if (name === 'baseline') {
    const Key = { order_id: { S: orderId } };
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: 'baseline-orders', Key }));
    return Item?.['status']?.S;
  }
  const row = await createOrderTable(dynamoDb, 'orders').get({ mode: 'live', id: orderId });
  return row && foldOrder(row.facts).status;
}
