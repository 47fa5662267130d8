import { createHash, randomUUID } from 'node:crypto';
import { account, region } from './account.ts';
import { AwsError, type Operation, type Parameters } from './aws-json.ts';
import { createSecretsFile } from './secrets-file.ts';
import { createRotations, type Rotations } from './secrets-rotation.ts';
import { attachStage, moveStage, stageHolder, type Version } from './secrets-stages.ts';
import { secretValue } from './secrets-value.ts';

interface Secret {
  readonly ARN: string;
  readonly Name: string;
  readonly CreatedDate: number;
  LastChangedDate: number;
  LastRotatedDate?: number;
  RotationLambdaARN?: string;
  /** By version id. */
  readonly versions: Record<string, Version>;
}

export interface SecretOperations {
  readonly CreateSecret: Operation;
  readonly PutSecretValue: Operation;
  readonly GetSecretValue: Operation;
  readonly DescribeSecret: Operation;
  readonly UpdateSecretVersionStage: Operation;
  readonly RotateSecret: Operation;
}

export interface SecretStore {
  readonly operations: SecretOperations;
  readonly rotations: Rotations;
}

/**
 * The ARN ends in six characters that the service draws; here the name
 * decides them, so that a restart keeps them.
 */
export function secretArn(name: string): string {
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `arn:aws:secretsmanager:${region}:${account}:secret:${name}-${suffix}`;
}

/**
 * Secrets by name, read from `file` and written to it, readable by
 * its owner only, before a change is answered.
 */
export async function createSecretStore(file?: string): Promise<SecretStore> {
  const kept = createSecretsFile<[string, Secret]>(file);
  const secrets = new Map(await kept.load());
  const save = (): Promise<void> => kept.save(() => [...secrets]);
  const now = (): number => Date.now() / 1000;
  const rotations = createRotations(async (arn) => {
    find(secrets, { SecretId: arn }).LastRotatedDate = now();
    await save();
  });

  const operations: SecretOperations = {
    async CreateSecret(parameters) {
      const Name = String(parameters['Name']);
      if (secrets.has(Name)) {
        const message = `The operation failed because the secret ${Name} already exists.`;
        throw new AwsError('ResourceExistsException', message);
      }
      const secret = { ARN: secretArn(Name), Name, CreatedDate: now(), LastChangedDate: now(), versions: {} };
      const hasValue = parameters['SecretString'] !== undefined || parameters['SecretBinary'] !== undefined;
      const VersionId = hasValue ? addVersion(secret, parameters, now()) : undefined;
      secrets.set(Name, secret);
      await save();
      return { ARN: secret.ARN, Name, VersionId };
    },
    async PutSecretValue(parameters) {
      const secret = find(secrets, parameters);
      const VersionId = addVersion(secret, parameters, now());
      await save();
      const VersionStages = secret.versions[VersionId]?.stages;
      return { ARN: secret.ARN, Name: secret.Name, VersionId, VersionStages };
    },
    async GetSecretValue(parameters) {
      const secret = find(secrets, parameters);
      const { VersionId, version } = pickVersion(secret, parameters);
      const { stages, CreatedDate, ...value } = version;
      return { ARN: secret.ARN, Name: secret.Name, VersionId, VersionStages: stages, CreatedDate, ...value };
    },
    async DescribeSecret(parameters) {
      const { versions, ...described } = find(secrets, parameters);
      const staged = Object.entries(versions).filter(([, { stages }]) => stages.length > 0);
      return {
        ...described,
        RotationEnabled: rotations.isEnabled(described.ARN),
        VersionIdsToStages: Object.fromEntries(staged.map(([id, { stages }]) => [id, stages])),
      };
    },
    async UpdateSecretVersionStage(parameters) {
      const secret = find(secrets, parameters);
      const refusal = moveStage(secret.versions, {
        stage: String(parameters['VersionStage']),
        to: parameters['MoveToVersionId'] as string | undefined,
        from: parameters['RemoveFromVersionId'] as string | undefined,
      });
      if (refusal !== undefined) throw new AwsError(refusal.code, refusal.message);
      secret.LastChangedDate = now();
      await save();
      return { ARN: secret.ARN, Name: secret.Name };
    },
    async RotateSecret(parameters) {
      const secret = find(secrets, parameters);
      const VersionId = beginRotation(secret, parameters, rotations);
      await save();
      if (VersionId !== undefined) rotations.start({ secretArn: secret.ARN, versionId: VersionId });
      return { ARN: secret.ARN, Name: secret.Name, VersionId };
    },
  };
  return { operations, rotations };
}

/** The version that a rotation is to fill; `undefined` when there is to be none now. */
function beginRotation(secret: Secret, parameters: Parameters, rotations: Rotations): string | undefined {
  const { RotationLambdaARN, RotateImmediately = true, ClientRequestToken } = parameters;
  if (!rotations.isEnabled(secret.ARN)) {
    const message = 'No Lambda rotation function ARN is associated with this secret.';
    throw new AwsError('InvalidRequestException', message);
  }
  if (typeof RotationLambdaARN === 'string') secret.RotationLambdaARN = RotationLambdaARN;
  if (RotateImmediately === false) return undefined;
  const { ARN: secretArn, versions } = secret;
  const token = String(ClientRequestToken ?? randomUUID());
  const pending = stageHolder(versions, 'AWSPENDING');
  const isOpen = pending !== undefined && pending !== stageHolder(versions, 'AWSCURRENT');
  if (isOpen && pending !== token) {
    rotations.start({ secretArn, versionId: pending });
    const message = "A previous rotation isn't complete. That rotation will be reattempted.";
    throw new AwsError('InvalidRequestException', message);
  }
  // A version that has a label already, and no value yet.
  versions[token] ??= { CreatedDate: Date.now() / 1000, stages: [] };
  attachStage(versions, 'AWSPENDING', token);
  return token;
}

function find(secrets: ReadonlyMap<string, Secret>, parameters: Parameters): Secret {
  const id = parameters['SecretId'];
  if (typeof id !== 'string' || id === '') {
    throw new AwsError(
      'ValidationException',
      "Value at 'secretId' failed to satisfy constraint: Member must not be null",
    );
  }
  // A name, an ARN, or an ARN without its last seven characters.
  const byArn = (secret: Secret): boolean => secret.ARN === id || secret.ARN.slice(0, -7) === id;
  const secret = secrets.get(id) ?? [...secrets.values()].find(byArn);
  if (secret === undefined) {
    throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return secret;
}

function addVersion(secret: Secret, parameters: Parameters, now: number): string {
  const value = secretValue(parameters);
  const id = String(parameters['ClientRequestToken'] ?? randomUUID());
  const existing = secret.versions[id];
  if (existing !== undefined && hasValue(existing)) {
    const same = existing.SecretString === value.SecretString && existing.SecretBinary === value.SecretBinary;
    if (same) return id;
    const message = 'The ClientRequestToken is already in use by a version with another value.';
    throw new AwsError('ResourceExistsException', message);
  }
  // What a rotation has begun is there already, with its label.
  secret.versions[id] = { ...value, CreatedDate: now, stages: existing?.stages ?? [] };
  for (const stage of (parameters['VersionStages'] as string[] | undefined) ?? ['AWSCURRENT']) {
    attachStage(secret.versions, stage, id);
  }
  secret.LastChangedDate = now;
  // A version without a label is a deprecated one: the service deletes it when it likes.
  for (const [old, version] of Object.entries(secret.versions)) {
    if (version.stages.length === 0 && old !== id) delete secret.versions[old];
  }
  return id;
}

function pickVersion(secret: Secret, parameters: Parameters): { VersionId: string; version: Version } {
  const stage = String(parameters['VersionStage'] ?? 'AWSCURRENT');
  const wanted = parameters['VersionId'] as string | undefined;
  const VersionId = wanted ?? stageHolder(secret.versions, stage);
  const version = VersionId === undefined ? undefined : secret.versions[VersionId];
  if (VersionId === undefined || version === undefined || !hasValue(version)) {
    const what = wanted === undefined ? `staging label: ${stage}` : `VersionId: ${wanted}`;
    const message = `Secrets Manager can't find the specified secret value for ${what}`;
    throw new AwsError('ResourceNotFoundException', message);
  }
  if (parameters['VersionStage'] !== undefined && !version.stages.includes(stage)) {
    const message = 'You provided a VersionStage that is not associated to the provided VersionId.';
    throw new AwsError('InvalidRequestException', message);
  }
  return { VersionId, version };
}

const hasValue = ({ SecretString, SecretBinary }: Version): boolean =>
  SecretString !== undefined || SecretBinary !== undefined;
