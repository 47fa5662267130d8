import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** What Secrets Manager responds until a person changes the secret, its key or a permission. */
const refusals = [
  // Deleted, or without a value.
  'ResourceNotFoundException',
  // Marked for deletion.
  'InvalidRequestException',
  // By the policy of the role, of the secret or of its KMS key.
  'AccessDeniedException',
  'DecryptionFailure',
];

export const createSecretsClient = (): SecretsManagerClient =>
  boundCalls(new SecretsManagerClient(clientOptions));

export function createSecretReader(secretArn: string, client = createSecretsClient()): SecretReader {
  return async function readSecret() {
    const { SecretString } = await client
      .send(new GetSecretValueCommand({ SecretId: secretArn }))
      .catch((cause: unknown) => {
        const isRefusal = cause instanceof Error && refusals.includes(cause.name);
        throw isRefusal ? new SecretRefusedError(cause.name, { cause }) : cause;
      });
    if (SecretString === undefined) throw new SecretRefusedError('BinarySecret');
    return SecretString;
  };
}
