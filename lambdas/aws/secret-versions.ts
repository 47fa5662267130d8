import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseTokenSecret } from '../contract/token-secret.ts';
import { type SecretVersion, type SecretVersions, stages } from '../ports/secret-versions.ts';
import type { TokenRotation } from '../ports/token-rotation.ts';
import { createSecretsClient } from './secret-reader.ts';

/** `undefined` when there is no such version, or it has no value yet. */
async function readVersion(
  client: SecretsManagerClient,
  which: GetSecretValueCommand['input'],
  secret: string,
): Promise<SecretVersion | undefined> {
  try {
    const { VersionId, SecretString } = await client.send(new GetSecretValueCommand(which));
    if (VersionId === undefined || SecretString === undefined) {
      throw new TypeError(`${secret} is binary; expected text.`);
    }
    return { versionId: VersionId, text: SecretString };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Implements the port. Throws what Secrets Manager throws, and a TypeError for a binary secret. */
export function createSecretRotation(SecretId: string, client = createSecretsClient()): TokenRotation {
  return {
    async readTokens() {
      const version = await readVersion(client, { SecretId }, 'The token secret');
      if (version === undefined) return undefined;
      const { accessToken, expiresAt } = parseTokenSecret(version.text);
      return { versionId: version.versionId, accessToken, expiresAt };
    },
    async rotate() {
      try {
        await client.send(new RotateSecretCommand({ SecretId, RotateImmediately: true }));
      } catch (error) {
        // One error name stands for this and for a secret that cannot be rotated at all.
        const isRefused = error instanceof InvalidRequestException;
        if (!isRefused || !/previous rotation/i.test(error.message)) throw error;
      }
    },
  };
}

/** The versions of a secret that a rotation works on. Throws what Secrets Manager throws. */
export function createSecretVersions(SecretId: string, client = createSecretsClient()): SecretVersions {
  const move = async (VersionStage: string, versions: { to?: string; from?: string | undefined }) => {
    const { to: MoveToVersionId, from: RemoveFromVersionId } = versions;
    const stage = { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId };
    await client.send(new UpdateSecretVersionStageCommand(stage));
  };
  return {
    async describe() {
      const described = await client.send(new DescribeSecretCommand({ SecretId }));
      return {
        rotationEnabled: described.RotationEnabled ?? false,
        stages: new Map(Object.entries(described.VersionIdsToStages ?? {})),
      };
    },
    read(which) {
      const version = 'stage' in which ? { VersionStage: which.stage } : { VersionId: which.versionId };
      return readVersion(client, { SecretId, ...version }, 'The secret');
    },
    async putPending({ versionId, text }, ...labels) {
      const VersionStages = [stages.pending, ...labels];
      const value = { SecretString: text, ClientRequestToken: versionId, VersionStages };
      try {
        await client.send(new PutSecretValueCommand({ SecretId, ...value }));
        return 'kept';
      } catch (error) {
        if (error instanceof ResourceExistsException) return 'taken';
        throw error;
      }
    },
    makeCurrent: (versions) => move(stages.current, versions),
    release: (versionId) => move(stages.pending, { from: versionId }),
  };
}
