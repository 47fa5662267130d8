import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { PrivateKeys } from './keys.ts';
import type { PipelineResources } from './resources.ts';

export interface SecretValue {
  readonly id: string;
  readonly value: string;
  /** The staging labels of the new version; AWSCURRENT by default. */
  readonly stages?: string[];
}

/** The values for the secrets of the stack, which are empty after a deployment. */
export function secretValues(
  { keySecretId, tokenSecretId }: Pick<PipelineResources, 'keySecretId' | 'tokenSecretId'>,
  { live, sandbox }: PrivateKeys,
  tokenSecret: string | undefined,
): readonly SecretValue[] {
  const value = JSON.stringify({ private_keys: [{ key: live }, { key: sandbox }] });
  const keys = { id: keySecretId, value };
  if (tokenSecretId === undefined || tokenSecret === undefined) return [keys];
  // Replaces what a data directory kept: the simulator does not know the tokens of an earlier run. Were
  // AWSPENDING on another version, Secrets Manager would try to finish that rotation first.
  return [keys, { id: tokenSecretId, value: tokenSecret, stages: ['AWSCURRENT', 'AWSPENDING'] }];
}

/** Puts a value into a secret that does not have it yet. */
export async function putSecret(
  client: SecretsManagerClient,
  { id: SecretId, value: SecretString, stages: VersionStages = ['AWSCURRENT'] }: SecretValue,
): Promise<void> {
  const current = await client.send(new GetSecretValueCommand({ SecretId })).catch((error: unknown) => {
    // A new secret has no value.
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (current?.SecretString === SecretString) return;
  await client.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }));
}
