import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { boundCalls, clientOptions } from './client-options.ts';

/** Reads the current text of a secret. Throws what Secrets Manager throws, and when the secret is binary. */
export function createSecretReader(secretArn: string): () => Promise<string> {
  const client = boundCalls(new SecretsManagerClient(clientOptions));
  return async function readSecret() {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    if (SecretString === undefined) throw new TypeError('The secret is binary; expected text.');
    return SecretString;
  };
}
