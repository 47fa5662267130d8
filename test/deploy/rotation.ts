import { randomUUID } from 'node:crypto';
import {
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { clientOptions } from './deployment.ts';
import { invoke } from './invocation.ts';
import type { MiniStack } from './ministack.ts';

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

/**
 * What Secrets Manager does when a secret is rotated, in MiniStack's place, which only switches rotation on: a version
 * without a value that is labelled AWSPENDING, and then the function's four steps. Gives the id of that version.
 */
export async function rotate(
  ministack: MiniStack,
  { secretArn: SecretId, functionName }: { readonly secretArn: string; readonly functionName: string },
): Promise<string> {
  const secrets = new SecretsManagerClient(clientOptions(ministack));
  await secrets.send(new RotateSecretCommand({ SecretId }));
  const ClientRequestToken = randomUUID();
  await secrets.send(
    new PutSecretValueCommand({ SecretId, ClientRequestToken, VersionStages: ['AWSPENDING'] }),
  );
  secrets.destroy();
  for (const Step of steps) await invoke(ministack, functionName, { SecretId, ClientRequestToken, Step });
  return ClientRequestToken;
}
