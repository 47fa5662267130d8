import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { createSend } from '../acceptance/pipeline.ts';
import { createSigner, type Identity } from './aws-calls.ts';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';
import type { Target } from './target.ts';

/** A role with what docs/threat-model.md lists for `dlq redrive`; returns its ARN. */
export async function createOperatorRole(ministack: MiniStack): Promise<string> {
  const RoleName = 'payhooks-operator';
  const iam = new IAMClient(clientOptions(ministack));
  const document = (Statement: object) => JSON.stringify({ Version: '2012-10-17', Statement });
  const Principal = { AWS: `arn:aws:iam::${ministack.account}:root` };
  const AssumeRolePolicyDocument = document({ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' });
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
  const PolicyDocument = document({ Effect: 'Allow', Action: 'sqs:*', Resource: '*' });
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'queues', PolicyDocument }));
  iam.destroy();
  return `${Role?.Arn}`;
}

/** The repository has no client of STS. */
async function assumeRole(ministack: MiniStack, roleArn: string): Promise<Identity> {
  const query = { Version: '2011-06-15', Action: 'AssumeRole', RoleArn: roleArn, RoleSessionName: 'ada' };
  const url = new URL(`${ministack.endpoint}/?${new URLSearchParams(query)}`);
  const headers = await createSigner(ministack, { service: 'sts' })(url);
  const { status, body } = await createSend({ ca: ministack.certificate.ca })(`${url}`, undefined, headers);
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(body)?.[1] ?? '';
  if (status !== 200) throw new Error(`AssumeRole got ${status}: ${body}`);
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')];
  return { accessKeyId, secretAccessKey, sessionToken: field('SessionToken') };
}

/**
 * A deployment with `operatorRoleArn`, as its queues enforce it; test/lib/resource-policies.test.ts evaluates the rest
 * of their policies.
 */
export function proveOperatorRole(target: () => Target, roleArn: () => string): void {
  it('with operatorRoleArn, the queues serve the stages and the operator, and not even the root user', async () => {
    const { ministack, pipeline, outputs } = target();
    const [QueueUrl, DeadLetterQueueUrl] = [outputs['EventQueueUrl'], outputs['DeadLetterQueueUrl']];
    const credentials = await assumeRole(ministack, roleArn());
    const operator = new SQSClient({ ...clientOptions(ministack), credentials });
    const root = new SQSClient(clientOptions(ministack));
    onTestFinished(() => {
      operator.destroy();
      root.destroy();
    });
    const refused = { name: expect.stringMatching(/AccessDenied/) };

    expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'usual' })))).toMatchObject({ status: 202 });
    expect(await pipeline.order('usual')).toMatchObject({ status: 'paid' });
    const take = new ReceiveMessageCommand({ QueueUrl: DeadLetterQueueUrl });
    await expect(root.send(take)).rejects.toMatchObject(refused);
    await operator.send(take);
    const bury = new SendMessageCommand({ QueueUrl: DeadLetterQueueUrl, MessageBody: 'forged' });
    await expect(operator.send(bury)).rejects.toMatchObject(refused);
    const forge = new SendMessageCommand({ QueueUrl, MessageBody: 'sent back' });
    await expect(root.send(forge)).rejects.toMatchObject(refused);
    await expect(operator.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject(refused);
    await operator.send(forge);
  });
}
