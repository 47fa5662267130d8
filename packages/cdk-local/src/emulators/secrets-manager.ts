import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { secretArn } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { startAwsJson } from './aws-json.ts';
import {
  addVersion,
  attachStage,
  moveStage,
  type NewValue,
  pickVersion,
  type StageMove,
  stageHolder,
  type Versions,
  type WantedVersion,
} from './secret-versions.ts';
import { createRotations, type Rotations } from './secrets-rotation.ts';

interface Secret {
  readonly ARN: string;
  readonly Name: string;
  readonly CreatedDate: number;
  LastChangedDate: number;
  LastRotatedDate?: number;
  readonly versions: Versions;
}

interface Named {
  readonly SecretId?: string;
}

interface Rotation extends Named {
  readonly ClientRequestToken?: string;
}

const now = (): number => Date.now() / 1000;

/** A Secrets Manager on a free loopback port, in memory or kept in `file`. No npm package emulates it. */
export async function startSecretsManager(file?: string) {
  const secrets = await loadSecrets(file);
  const save = createWriter(secrets, file);
  const rotations = createRotations(async (SecretId) => {
    find(secrets, { SecretId }).LastRotatedDate = now();
    await save();
  });
  const { endpoint, fail, close } = await startAwsJson({
    target: 'secretsmanager',
    operations: createOperations({ secrets, rotations, save }),
  });
  return {
    endpoint,
    fail,
    /** Names the function that rotates a secret; without one RotateSecret is refused. */
    rotateWith: rotations.rotateWith,
    async close() {
      await rotations.stop();
      await close();
    },
  };
}

interface Parts {
  readonly secrets: Map<string, Secret>;
  readonly rotations: Rotations;
  /** Resolves when the secrets are in the file. */
  readonly save: () => Promise<void>;
}

function createOperations({ secrets, rotations, save }: Parts) {
  /** Saves before the response is sent. */
  const saved = async ({ ARN, Name }: Secret, more: object = {}): Promise<object> => {
    await save();
    return { ARN, Name, ...more };
  };
  return {
    async CreateSecret(parameters: NewValue & { readonly Name: string }) {
      const { Name } = parameters;
      if (secrets.has(Name)) {
        const message = `The operation failed because the secret ${Name} already exists.`;
        throw new AwsError('ResourceExistsException', message);
      }
      const dates = { CreatedDate: now(), LastChangedDate: now() };
      const secret: Secret = { ARN: secretArn(Name), Name, ...dates, versions: {} };
      const hasValue = parameters.SecretString !== undefined;
      const VersionId = hasValue ? addVersion(secret.versions, parameters, now()) : undefined;
      secrets.set(Name, secret);
      return saved(secret, { VersionId });
    },
    async PutSecretValue(parameters: NewValue & Named) {
      const secret = find(secrets, parameters);
      const VersionId = addVersion(secret.versions, parameters, now());
      secret.LastChangedDate = now();
      return saved(secret, { VersionId, VersionStages: secret.versions[VersionId]?.stages });
    },
    async GetSecretValue(parameters: WantedVersion & Named) {
      const { ARN, Name, versions } = find(secrets, parameters);
      const [VersionId, { stages: VersionStages, ...value }] = pickVersion(versions, parameters);
      return { ARN, Name, VersionId, VersionStages, ...value };
    },
    async DescribeSecret(parameters: Named) {
      const { versions, ...described } = find(secrets, parameters);
      const labelled = Object.entries(versions).filter(([, { stages }]) => stages.length > 0);
      return {
        ...described,
        RotationEnabled: rotations.isEnabled(described.ARN),
        VersionIdsToStages: Object.fromEntries(labelled.map(([id, { stages }]) => [id, stages])),
      };
    },
    async UpdateSecretVersionStage(parameters: StageMove & Named) {
      const secret = find(secrets, parameters);
      moveStage(secret.versions, parameters);
      secret.LastChangedDate = now();
      return saved(secret);
    },
    async RotateSecret(parameters: Rotation) {
      const secret = find(secrets, parameters);
      const VersionId = beginRotation(secret, parameters, rotations);
      const response = await saved(secret, { VersionId });
      rotations.start({ secretArn: secret.ARN, versionId: VersionId });
      return response;
    },
  };
}

/** The version that a rotation is to fill. */
function beginRotation(secret: Secret, parameters: Rotation, rotations: Rotations): string {
  const { ClientRequestToken: token = randomUUID() } = parameters;
  const { ARN: secretArn, versions } = secret;
  if (!rotations.isEnabled(secretArn)) {
    const message = 'No Lambda rotation function ARN is associated with this secret.';
    throw new AwsError('InvalidRequestException', message);
  }
  const pending = stageHolder(versions, 'AWSPENDING');
  const isOpen = pending !== undefined && pending !== stageHolder(versions, 'AWSCURRENT');
  if (isOpen && pending !== token) {
    rotations.start({ secretArn, versionId: pending });
    const message = "A previous rotation isn't complete. That rotation will be reattempted.";
    throw new AwsError('InvalidRequestException', message);
  }
  // A version with a label and no value yet.
  versions[token] ??= { CreatedDate: now(), stages: [] };
  attachStage(versions, 'AWSPENDING', token);
  return token;
}

function find(secrets: ReadonlyMap<string, Secret>, { SecretId: id = '' }: Named): Secret {
  // A name, an ARN, or an ARN without its last seven characters.
  const hasArn = ({ ARN }: Secret): boolean => ARN === id || ARN.slice(0, -7) === id;
  const secret = secrets.get(id) ?? [...secrets.values()].find(hasArn);
  if (secret !== undefined) return secret;
  throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
}

async function loadSecrets(file: string | undefined): Promise<Map<string, Secret>> {
  const text = file === undefined ? '[]' : await readFile(file, 'utf8').catch(whenMissing);
  return new Map(JSON.parse(text) as [string, Secret][]);
}

function whenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '[]';
  throw error;
}

/** Replaces the file as a whole, so that a kill leaves the old or the new one. Only its owner can read it. */
function createWriter(secrets: ReadonlyMap<string, Secret>, file: string | undefined): () => Promise<void> {
  let written: Promise<void> = Promise.resolve();
  return function saveSecrets() {
    if (file === undefined) return written;
    // One after the other: two writers would share the temporary file.
    written = written
      .catch(() => {})
      .then(async () => {
        await writeFile(`${file}.next`, JSON.stringify([...secrets]), { mode: 0o600 });
        await rename(`${file}.next`, file);
      });
    return written;
  };
}
