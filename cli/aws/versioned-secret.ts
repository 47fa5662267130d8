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

/** A secret that others may change at the same time. */
export interface VersionedSecret {
  /** The current value; `undefined` when there was never one. */
  read(): Promise<SecretVersion | undefined>;
  /** Replaces the value if it is still `former`; otherwise rejects and changes nothing. */
  replace(former: SecretVersion | undefined, text: string): Promise<void>;
}

/** Whether a rotation may be stuck in the secret; a value that is written by hand ends it. */
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
   * Secrets Manager checks that. So this writes the value under another label first, then moves AWSCURRENT.
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
    // The label is unique, so that two writers do not take each other's.
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
      // When a response was lost, the SDK tries again and gets this error, although the first try succeeded.
      if ((await read())?.versionId !== ClientRequestToken) throw changedMeanwhile(cause);
    } finally {
      // A version without a label is deleted; the current version needs no other label.
      await move(pendingStage, ClientRequestToken).catch(() => undefined);
    }
    await endRotation(ClientRequestToken);
  };

  return { read, replace };
}

function isWithoutValue(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') return false;
  // A secret that does not exist has the same error name.
  return /secret value|staging label/i.test(error.message);
}

const changedMeanwhile = (cause?: unknown): CommandError =>
  new CommandError(
    'failed',
    'The secret was changed by someone else at the same time, so nothing was changed. Run it again.',
    {
      cause,
    },
  );
