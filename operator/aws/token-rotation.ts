import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretRotation, createSecretVersions } from '../../lambdas/aws/secret-versions.ts';
import { parseTokenSecret, type TokenSecret } from '../../lambdas/contract/token-secret.ts';
import { newestTokens } from '../../lambdas/token-refresh/newest-tokens.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { openSecret, type VersionedSecret } from './versioned-secret.ts';

interface StackToken {
  readonly secret: VersionedSecret;
  /** `undefined` if the secret has no value yet. */
  read(): Promise<(TokenSecret & { readonly versionId: string }) | undefined>;
  /** The newest tokens, also those of a rotation that has not ended. */
  newest(): Promise<Pick<TokenSecret, 'refreshToken' | 'accessToken' | 'expiresAt'>>;
  /** Starts a rotation, unless one is under way. */
  rotate(): Promise<void>;
}

/** The OAuth token of a stack; only the stack's rotation function renews it. */
export function openStackToken(stack: Stack): StackToken {
  const SecretId = outputOf(stack, 'TokenSecretArn');
  const secret = openSecret(stack, SecretId, { endsRotation: true });
  const client = new SecretsManagerClient(serviceOptions(stack, 'secretsManager'));
  return {
    secret,
    async read() {
      const version = await secret.read();
      return version && { ...parseTokenSecret(version.text), versionId: version.versionId };
    },
    async newest() {
      const { tokens } = await newestTokens(createSecretVersions(SecretId, client));
      const { clientId: _id, clientSecret: _secret, replaces: _version, ...kept } = tokens;
      return kept;
    },
    rotate: createSecretRotation(SecretId, client).rotate,
  };
}
