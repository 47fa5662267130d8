import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { parseTokenSecret } from '../contract/token-secret.ts';
import type { RotatedTokenParts } from '../webhook-audit/rotated-token.ts';
import { clientOptions } from './client-options.ts';

/** The token secret for its readers. Throws what Secrets Manager throws, and for a value of another form. */
export function createSecretRotation(
  secretArn: string,
  client: SecretsManagerClient = new SecretsManagerClient(clientOptions),
): Pick<RotatedTokenParts, 'readTokens' | 'rotate'> {
  const SecretId = secretArn;
  return {
    async readTokens() {
      try {
        const { VersionId, SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
        if (VersionId === undefined || SecretString === undefined) {
          throw new TypeError('The token secret is binary; expected text.');
        }
        const { accessToken, expiresAt } = parseTokenSecret(SecretString);
        return { versionId: VersionId, accessToken, expiresAt };
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    async rotate() {
      try {
        await client.send(new RotateSecretCommand({ SecretId, RotateImmediately: true }));
      } catch (error) {
        if (!isUnderWay(error)) throw error;
      }
    },
  };
}

/** Secrets Manager has one name for this and for a secret that cannot be rotated at all. */
function isUnderWay(error: unknown): boolean {
  return error instanceof InvalidRequestException && /previous rotation/i.test(error.message);
}
