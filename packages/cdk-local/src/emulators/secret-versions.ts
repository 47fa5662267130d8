import { randomUUID } from 'node:crypto';
import { AwsError } from './aws-error.ts';

export interface Version {
  readonly SecretString?: string;
  readonly CreatedDate: number;
  stages: string[];
}

/** By version id. */
export type Versions = Record<string, Version>;

const valueBytesMax = 65_536;

/** The id of the version that has a staging label; at most one version has it. */
export function stageHolder(versions: Versions, stage: string): string | undefined {
  return Object.keys(versions).find((id) => versions[id]?.stages.includes(stage));
}

/** Removes a label and returns the id of the version that had it. */
function detachStage(versions: Versions, stage: string): string | undefined {
  const id = stageHolder(versions, stage);
  const version = id === undefined ? undefined : versions[id];
  if (version !== undefined) version.stages = version.stages.filter((label) => label !== stage);
  return id;
}

/** Moves a label to a version. AWSPREVIOUS goes to the version that AWSCURRENT leaves. */
export function attachStage(versions: Versions, stage: string, id: string): void {
  const former = detachStage(versions, stage);
  versions[id]?.stages.push(stage);
  if (stage !== 'AWSCURRENT' || former === undefined || former === id) return;
  detachStage(versions, 'AWSPREVIOUS');
  versions[former]?.stages.push('AWSPREVIOUS');
}

export interface StageMove {
  readonly VersionStage: string;
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

/** Moves or removes a label. Throws the service's `AwsError` for what it refuses. */
export function moveStage(versions: Versions, move: StageMove): void {
  const { VersionStage: stage, MoveToVersionId: to, RemoveFromVersionId: from } = move;
  const invalid = (message: string): AwsError => new AwsError('InvalidParameterException', message);
  const unknown = [to, from].find((id) => id !== undefined && versions[id] === undefined);
  if (unknown !== undefined) throw valueNotFound(`VersionId: ${unknown}`);
  const holder = stageHolder(versions, stage);
  if (from !== undefined && holder !== from) {
    throw invalid(`The staging label ${stage} is not currently attached to version ${from}.`);
  }
  if (to === undefined && (from === undefined || stage === 'AWSCURRENT')) {
    throw invalid('AWSCURRENT can only be moved, and other labels moved or removed.');
  }
  if (holder !== undefined && holder !== to && from === undefined) {
    throw invalid(
      `Staging label ${stage} is attached to version ${holder}: RemoveFromVersionId has to name it.`,
    );
  }
  if (to === undefined) detachStage(versions, stage);
  else attachStage(versions, stage, to);
}

export interface NewValue {
  readonly SecretString?: string;
  readonly ClientRequestToken?: string;
  readonly VersionStages?: readonly string[];
}

/** Adds a version and returns its id. Throws the service's `AwsError` for what it refuses. */
export function addVersion(versions: Versions, parameters: NewValue, now: number): string {
  const { ClientRequestToken: id = randomUUID(), VersionStages = ['AWSCURRENT'] } = parameters;
  const SecretString = readValue(parameters);
  const existing = versions[id];
  if (existing?.SecretString !== undefined) {
    if (existing.SecretString === SecretString) return id;
    const message = 'The ClientRequestToken is already in use by a version with another value.';
    throw new AwsError('ResourceExistsException', message);
  }
  // A version that a rotation began exists already, with its label.
  versions[id] = { SecretString, CreatedDate: now, stages: existing?.stages ?? [] };
  for (const stage of VersionStages) attachStage(versions, stage, id);
  // The service deletes versions without a label at a time of its choice.
  for (const [other, version] of Object.entries(versions)) {
    if (version.stages.length === 0 && other !== id) delete versions[other];
  }
  return id;
}

function readValue({ SecretString }: NewValue): string {
  if (SecretString !== undefined && Buffer.byteLength(SecretString) <= valueBytesMax) return SecretString;
  const message = `Expected a SecretString of at most ${valueBytesMax} bytes, and no SecretBinary.`;
  throw new AwsError('InvalidParameterException', message);
}

export interface WantedVersion {
  readonly VersionId?: string;
  readonly VersionStage?: string;
}

/** The id and the version of a request. Throws an `AwsError` when it does not exist, or has no value. */
export function pickVersion(versions: Versions, wanted: WantedVersion): [string, Version] {
  const { VersionId, VersionStage: stage = 'AWSCURRENT' } = wanted;
  const id = VersionId ?? stageHolder(versions, stage);
  const version = id === undefined ? undefined : versions[id];
  if (id === undefined || version?.SecretString === undefined) {
    throw valueNotFound(VersionId === undefined ? `staging label: ${stage}` : `VersionId: ${VersionId}`);
  }
  if (wanted.VersionStage !== undefined && !version.stages.includes(stage)) {
    const message = 'You provided a VersionStage that is not associated to the provided VersionId.';
    throw new AwsError('InvalidRequestException', message);
  }
  return [id, version];
}

const valueNotFound = (what: string): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${what}`,
  );
