import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import type { PrivateKeys } from './keys.ts';
import type { PipelineResources } from './resources.ts';

export interface SecretValue {
  readonly id: string;
  readonly value: string;
  /** The labels of the new version; AWSCURRENT alone without them. */
  readonly stages?: readonly string[];
}

/** The values of this run for the secrets of the stack, which are empty after a deployment. */
export function secretValues(
  { keySecretId, tokenSecretId }: Pick<PipelineResources, 'keySecretId' | 'tokenSecretId'>,
  keys: PrivateKeys,
  tokenSecret: string | undefined,
): readonly SecretValue[] {
  const { live, sandbox } = keys;
  const value = JSON.stringify({ private_keys: [{ key: live }, { key: sandbox }] });
  const ofKeys = { id: keySecretId, value };
  if (tokenSecretId === undefined || tokenSecret === undefined) return [ofKeys];
  // Replaces what a data directory kept: the simulator does not know the tokens of an earlier run. With
  // AWSPENDING on another version, Secrets Manager would first finish that rotation.
  const stages = ['AWSCURRENT', 'AWSPENDING'];
  return [ofKeys, { id: tokenSecretId, value: tokenSecret, stages }];
}

/** Puts values into secrets that do not have them yet. */
export async function putSecrets(
  settings: SecretsManagerClientConfig,
  values: readonly SecretValue[],
): Promise<void> {
  const client = new SecretsManagerClient(settings);
  for (const value of values) await putSecret(client, value);
  client.destroy();
}

export async function putSecret(
  secretsManager: SecretsManagerClient,
  { id: SecretId, value: SecretString, stages = ['AWSCURRENT'] }: SecretValue,
): Promise<void> {
  const current = await secretsManager
    .send(new GetSecretValueCommand({ SecretId }))
    .catch((error: unknown) => {
      // A new secret has no value yet.
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
  if (current?.SecretString === SecretString) return;
  await secretsManager.send(
    new PutSecretValueCommand({ SecretId, SecretString, VersionStages: [...stages] }),
  );
}
