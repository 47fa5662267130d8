import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { CommandError } from '../command-error.ts';
import type { Stack } from '../target/stack.ts';
import { secretsManagerOptions } from './client-options.ts';

export interface SecretVersion {
  readonly text: string;
  readonly versionId: string;
}

/** A secret that is read, changed and written while others may do the same. */
export interface VersionedSecret {
  /** The current value; `undefined` when it was never given one. */
  read(): Promise<SecretVersion | undefined>;
  /** Makes `text` the value, if `former` still is it; otherwise it rejects and nothing has changed. */
  replace(former: SecretVersion | undefined, text: string): Promise<void>;
}

/** A secret that rotates may have a rotation that is stuck; a value that is put in by hand ends it. */
export type Rotates = 'rotates' | 'stays';

export function openSecret(stack: Stack, secretId: string, rotates: Rotates = 'stays'): VersionedSecret {
  const client = new SecretsManagerClient(secretsManagerOptions(stack));
  const SecretId = secretId;

  const read = async (): Promise<SecretVersion | undefined> => {
    const current = await client.send(new GetSecretValueCommand({ SecretId })).catch((error: unknown) => {
      if (isWithoutValue(error)) return undefined;
      throw error;
    });
    if (current === undefined) return undefined;
    const { SecretString, VersionId = '' } = current;
    if (SecretString === undefined) throw new CommandError('failed', 'The secret is binary; expected text.');
    return { text: SecretString, versionId: VersionId };
  };

  const move = (VersionStage: string, from: string | undefined, to?: string) =>
    client.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage,
        ...(from !== undefined && { RemoveFromVersionId: from }),
        ...(to !== undefined && { MoveToVersionId: to }),
      }),
    );

  /** While AWSPENDING is on another version than AWSCURRENT, a rotation counts as under way. */
  const endRotation = async (versionId: string): Promise<void> => {
    if (rotates === 'stays') return;
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    const holder = Object.keys(VersionIdsToStages).find((id) =>
      VersionIdsToStages[id]?.includes('AWSPENDING'),
    );
    if (holder !== undefined && holder !== versionId) await move('AWSPENDING', holder, versionId);
  };

  /**
   * Secrets Manager has no conditional put, but moving a label names the version that it is taken from, and
   * that is checked. So the value is put aside first, and only then made the current one.
   */
  const replace = async (former: SecretVersion | undefined, text: string): Promise<void> => {
    if (former === undefined) {
      if ((await read()) !== undefined) throw changedMeanwhile();
      const { VersionId = '' } = await client.send(
        new PutSecretValueCommand({ SecretId, SecretString: text }),
      );
      await endRotation(VersionId);
      return;
    }
    const ClientRequestToken = randomUUID();
    // A label of its own, so that two writers do not take each other's.
    const pendingStage = `payhooks-${ClientRequestToken}`;
    await client.send(
      new PutSecretValueCommand({
        SecretId,
        SecretString: text,
        ClientRequestToken,
        VersionStages: [pendingStage],
      }),
    );
    try {
      await move('AWSCURRENT', former.versionId, ClientRequestToken);
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'InvalidParameterException') throw cause;
      // The SDK asks again when an answer was lost, and then is told that it has been done.
      if ((await read())?.versionId !== ClientRequestToken) throw changedMeanwhile(cause);
    } finally {
      // Without a label the version that was put aside is forgotten; as the current one it needs no other.
      await move(pendingStage, ClientRequestToken).catch(() => undefined);
    }
    await endRotation(ClientRequestToken);
  };

  return { read, replace };
}

function isWithoutValue(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') return false;
  // The same name tells of a secret that is not there at all.
  return /secret value|staging label/i.test(error.message);
}

const changedMeanwhile = (cause?: unknown): CommandError =>
  new CommandError(
    'failed',
    'Somebody else has changed the secret meanwhile; nothing was changed. Run it again.',
    {
      cause,
    },
  );
