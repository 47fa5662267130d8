import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretRotation, createSecretVersions } from '../../lambdas/aws/secret-versions.ts';
import { newestTokens } from '../../lambdas/token-refresh/renew.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { openSecret } from './versioned-secret.ts';

/** The OAuth token of a stack; only the stack's rotation function renews it. */
export function openStackToken(stack: Stack) {
  const SecretId = outputOf(stack, 'TokenSecretArn');
  const client = new SecretsManagerClient(serviceOptions(stack, 'secretsManager'));
  return {
    ...createSecretRotation(SecretId, client),
    secret: openSecret(stack, SecretId),
    /** The newest tokens, also those of a rotation that has not ended. */
    async newest() {
      const { tokens } = await newestTokens(createSecretVersions(SecretId, client));
      const { clientId: _id, clientSecret: _secret, replaces: _version, ...kept } = tokens;
      return kept;
    },
  };
}
