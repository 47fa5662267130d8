import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { variables } from '../../lambdas/contract/environment.ts';
import type { SentHeartbeat } from '../../lambdas/contract/heartbeat.ts';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { type Deployed, ofType } from './deployed-resources.ts';
import { readLines } from './log-search.ts';

const sentSchema = v.object({
  status: v.nullable(v.number()),
  order_id: v.nullable(v.string()),
  error: v.nullable(v.string()),
});

const stageSchema = v.object({
  Environment: v.object({ Variables: v.object({ [variables.serviceName]: v.literal('heartbeat') }) }),
});

/** Has the stack send a heartbeat. */
export async function invokeHeartbeat(deployed: Deployed): Promise<SentHeartbeat> {
  const isHeartbeat = ({ properties }: { readonly properties: unknown }) => v.is(stageSchema, properties);
  const found = ofType(deployed, 'AWS::Lambda::Function').find(isHeartbeat);
  if (found === undefined) {
    throw new CommandError('failed', 'The template of the stack has no function that sends heartbeats.');
  }
  const client = new LambdaClient(serviceOptions(deployed.stack, 'lambda'));
  const invoke = new InvokeCommand({ FunctionName: found.physicalId, Payload: '{}' });
  const { Payload } = await client.send(invoke);
  const text = Buffer.from(Payload ?? []).toString();
  const sent = v.safeParse(v.pipe(v.string(), v.parseJson(), sentSchema), text);
  if (sent.success) return sent.output;
  throw new CommandError('failed', `The function ${found.physicalId} failed: docs/runbook.md#log-lines`);
}

const returnedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ message: v.literal('heartbeat returned'), order_id: v.string(), seconds: v.number() }),
);

/** The seconds that a heartbeat took; `undefined` while its function has no line about its return. */
export async function heartbeatReturned(
  stack: Stack,
  orderId: string,
  since: number,
): Promise<number | undefined> {
  const message = 'heartbeat returned';
  for (const { text } of await readLines(stack, 'HeartbeatReturnLogGroup', { message, since })) {
    const line = v.safeParse(returnedSchema, text);
    if (line.success && line.output.order_id === orderId) return line.output.seconds;
  }
  return undefined;
}
