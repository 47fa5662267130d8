import { holderOf, type SecretVersions, stages } from '../ports/secret-versions.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import {
  parseRotationEvent,
  RotationError,
  type RotationRequest,
  type RotationStep,
} from './rotation-event.ts';

/** A version that a rotation creates, and the current one. */
export interface PendingVersion {
  readonly id: string;
  readonly currentId: string | undefined;
}

/** Runs one step for a version that is not current yet; returns the outcome for the log. */
export type StepRunner = (version: PendingVersion) => Promise<string>;

export interface RotationParts {
  readonly secretArn: string;
  readonly versions: SecretVersions;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

interface RotatedSecret {
  readonly steps: Readonly<Record<RotationStep, StepRunner>>;
  /** Only the messages of these errors are known to quote no secret; an SDK's may hold what it was given. */
  readonly safeErrors?: readonly (abstract new (
    ...given: never[]
  ) => Error)[];
}

/**
 * A rotation function of Secrets Manager. Every step can be repeated at any time. A failure is logged without
 * values and thrown, so that Secrets Manager retries and Lambda counts it.
 */
export function createRotation(
  parts: RotationParts,
  { steps, safeErrors = [] }: RotatedSecret,
): (event: unknown) => Promise<void> {
  const { telemetry } = parts;
  const isSafe = (error: Error): boolean =>
    [RotationError, ...safeErrors].some((one) => error instanceof one);
  return async function rotateSecret(event) {
    let request: RotationRequest | undefined;
    try {
      request = parseRotationEvent(event);
      const outcome = await run(parts, steps, request);
      telemetry.log('notice', 'rotation step done', { ...fieldsOf(request), outcome });
    } catch (error) {
      telemetry.log('error', 'rotation step failed', { ...fieldsOf(request), ...errorFields(error, isSafe) });
      throw error;
    }
  };
}

async function run(
  { versions, secretArn }: RotationParts,
  steps: RotatedSecret['steps'],
  request: RotationRequest,
): Promise<string> {
  if (request.secretArn !== secretArn) {
    throw new RotationError('The event names another secret than the one that this function rotates.');
  }
  const description = await versions.describe();
  if (!description.rotationEnabled) {
    throw new RotationError('Rotation is not enabled for the secret; deploy the stack again.');
  }
  const { versionId: id } = request;
  const labels = description.stages.get(id);
  if (labels === undefined) throw new RotationError(`The secret has no version ${id}.`);
  if (labels.includes(stages.current)) return 'already current';
  if (!labels.includes(stages.pending)) {
    throw new RotationError(`The version ${id} is not the pending version of this rotation (AWSPENDING).`);
  }
  return steps[request.step]({ id, currentId: holderOf(description, stages.current) });
}

const fieldsOf = (request: RotationRequest | undefined) =>
  request === undefined ? {} : { step: request.step, version_id: request.versionId };

function errorFields(
  error: unknown,
  isSafe: (error: Error) => boolean,
): { readonly error_name: string; readonly reason?: string } {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  const { cause } = error;
  const error_name = cause instanceof Error ? `${error.name} (${cause.name})` : error.name;
  return isSafe(error) ? { error_name, reason: error.message } : { error_name };
}
