import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { newestStage, type SecretVersions, stages } from '../ports/secret-versions.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** The versions of a secret that a rotation works on. Throws what Secrets Manager throws. */
export function createSecretVersions(
  secretArn: string,
  client: SecretsManagerClient = boundCalls(new SecretsManagerClient(clientOptions)),
): SecretVersions {
  const SecretId = secretArn;
  return {
    async describe() {
      const described = await client.send(new DescribeSecretCommand({ SecretId }));
      return {
        rotationEnabled: described.RotationEnabled ?? false,
        stages: new Map(Object.entries(described.VersionIdsToStages ?? {})),
      };
    },
    async read(which) {
      const version = 'stage' in which ? { VersionStage: which.stage } : { VersionId: which.versionId };
      try {
        const { VersionId, SecretString } = await client.send(
          new GetSecretValueCommand({ SecretId, ...version }),
        );
        if (VersionId === undefined || SecretString === undefined) {
          throw new TypeError('The secret is binary; expected text.');
        }
        return { versionId: VersionId, text: SecretString };
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    async putPending({ versionId, text }) {
      const VersionStages = [stages.pending, newestStage];
      const value = { SecretString: text, ClientRequestToken: versionId, VersionStages };
      try {
        await client.send(new PutSecretValueCommand({ SecretId, ...value }));
        return 'kept';
      } catch (error) {
        if (error instanceof ResourceExistsException) return 'taken';
        throw error;
      }
    },
    async makeCurrent({ to, from }) {
      const move = { MoveToVersionId: to, RemoveFromVersionId: from };
      await client.send(
        new UpdateSecretVersionStageCommand({ SecretId, VersionStage: stages.current, ...move }),
      );
    },
    async release(versionId) {
      const move = { VersionStage: stages.pending, RemoveFromVersionId: versionId };
      await client.send(new UpdateSecretVersionStageCommand({ SecretId, ...move }));
    },
  };
}
