import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { PrivateKeys } from './keys.ts';
import type { PipelineResources } from './resources.ts';

interface Values {
  readonly keys: PrivateKeys;
  /** For a stack with OAuth. */
  readonly tokenSecret: string;
}

/** Puts values into the secrets of the stack, which are empty after a deployment. */
export async function putSecrets(
  client: SecretsManagerClient,
  { keySecretId, tokenSecretId }: PipelineResources,
  { keys, tokenSecret }: Values,
): Promise<void> {
  const SecretString = JSON.stringify({ private_keys: [{ key: keys.live }, { key: keys.sandbox }] });
  await client.send(new PutSecretValueCommand({ SecretId: keySecretId, SecretString }));
  if (tokenSecretId === undefined) return;
  // Replaces what a data directory kept: the simulator does not know the tokens of an earlier run. Were
  // AWSPENDING on another version, Secrets Manager would try to finish that rotation first.
  const VersionStages = ['AWSCURRENT', 'AWSPENDING'];
  const token = { SecretId: tokenSecretId, SecretString: tokenSecret, VersionStages };
  await client.send(new PutSecretValueCommand(token));
}
