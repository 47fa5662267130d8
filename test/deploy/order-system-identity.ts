import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  IAMClient,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import type { Identity } from './deployed-pipeline.ts';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** A user of the account who may call the APIs of `invokeArn`, and nothing when there is none. */
export async function createOrderSystem(
  ministack: MiniStack,
  userName: string,
  invokeArn?: string,
): Promise<Identity> {
  const iam = new IAMClient(clientOptions(ministack));
  await iam.send(new CreateUserCommand({ UserName: userName }));
  if (invokeArn !== undefined) {
    const Statement = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: invokeArn };
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam.send(new PutUserPolicyCommand({ UserName: userName, PolicyName: 'asks', PolicyDocument }));
  }
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: userName }));
  iam.destroy();
  return { accessKeyId: `${AccessKey?.AccessKeyId}`, secretAccessKey: `${AccessKey?.SecretAccessKey}` };
}
