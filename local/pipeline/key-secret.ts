import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { PrivateKeys } from './data-directory.ts';

/** Puts both keys into the secret that the verifier reads, unless they are its value already. */
export async function putKeys(
  secretsManager: SecretsManagerClient,
  secret: { readonly id: string; readonly keys: PrivateKeys },
): Promise<void> {
  const { live, sandbox } = secret.keys;
  const SecretString = JSON.stringify({ private_keys: [{ key: live }, { key: sandbox }] });
  const SecretId = secret.id;
  const current = await secretsManager
    .send(new GetSecretValueCommand({ SecretId }))
    .catch((error: unknown) => {
      // A new secret has no value yet.
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
  if (current?.SecretString === SecretString) return;
  await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
}
