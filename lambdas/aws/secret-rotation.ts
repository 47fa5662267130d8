import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { parseTokenSecret } from '../contract/token-secret.ts';
import type { TokenRotation } from '../ports/token-rotation.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Implements the port. Throws what Secrets Manager throws, and a TypeError for a binary secret. */
export function createSecretRotation(
  secretArn: string,
  client: SecretsManagerClient = boundCalls(new SecretsManagerClient(clientOptions)),
): TokenRotation {
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

/** Secrets Manager uses one error name for this and for a secret that cannot be rotated at all. */
function isUnderWay(error: unknown): boolean {
  return error instanceof InvalidRequestException && /previous rotation/i.test(error.message);
}
