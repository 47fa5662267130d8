export interface Version {
  readonly SecretString?: string;
  /** Base64, as it travels. */
  readonly SecretBinary?: string;
  readonly CreatedDate: number;
  stages: string[];
}

type Versions = Readonly<Record<string, Version>>;

export interface StageRefusal {
  readonly code: 'ResourceNotFoundException' | 'InvalidParameterException';
  readonly message: string;
}

/** The id of the version that carries a staging label; a label sits on one version at most. */
export function stageHolder(versions: Versions, stage: string): string | undefined {
  return Object.keys(versions).find((id) => versions[id]?.stages.includes(stage));
}

/** Takes a label away and gives the id of the version that had it. */
function detachStage(versions: Versions, stage: string): string | undefined {
  const id = stageHolder(versions, stage);
  const version = id === undefined ? undefined : versions[id];
  if (version !== undefined) version.stages = version.stages.filter((label) => label !== stage);
  return id;
}

/**
 * Moves a label to a version. AWSPREVIOUS follows AWSCURRENT: it goes to the version that AWSCURRENT leaves.
 */
export function attachStage(versions: Versions, stage: string, id: string): void {
  const former = detachStage(versions, stage);
  versions[id]?.stages.push(stage);
  if (stage !== 'AWSCURRENT' || former === undefined || former === id) return;
  detachStage(versions, 'AWSPREVIOUS');
  versions[former]?.stages.push('AWSPREVIOUS');
}

/** UpdateSecretVersionStage: a refusal, or `undefined` when the label was moved or removed. */
export function moveStage(
  versions: Versions,
  move: { readonly stage: string; readonly to: string | undefined; readonly from: string | undefined },
): StageRefusal | undefined {
  const { stage, to, from } = move;
  const invalid = (message: string): StageRefusal => ({ code: 'InvalidParameterException', message });
  const unknown = [to, from].find((id) => id !== undefined && versions[id] === undefined);
  if (unknown !== undefined) {
    const message = `Secrets Manager can't find the specified secret value for VersionId: ${unknown}`;
    return { code: 'ResourceNotFoundException', message };
  }
  const holder = stageHolder(versions, stage);
  if (from !== undefined && holder !== from) {
    return invalid(`The staging label ${stage} is not currently attached to version ${from}.`);
  }
  if (to === undefined) {
    if (from === undefined) return invalid('You must specify MoveToVersionId or RemoveFromVersionId.');
    if (stage === 'AWSCURRENT')
      return invalid('AWSCURRENT can only be moved to another version, not removed.');
    detachStage(versions, stage);
    return undefined;
  }
  if (holder !== undefined && holder !== to && from === undefined) {
    return invalid(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to ` +
        `version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  attachStage(versions, stage, to);
  return undefined;
}
