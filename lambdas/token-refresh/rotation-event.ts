/** The steps of a rotation, in their order. */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof rotationSteps)[number];

/** One step of one rotation, as Secrets Manager asks for it. */
export interface RotationRequest {
  readonly secretArn: string;
  /** The id of the version that the rotation makes. */
  readonly versionId: string;
  readonly step: RotationStep;
}

/** A rotation that cannot go on. The message says what to do about it and never quotes a token. */
export class RotationError extends Error {
  override readonly name = 'RotationError';
}

/** Throws a `RotationError` for what is no rotation. */
export function parseRotationEvent(event: unknown): RotationRequest {
  const fields: Readonly<Record<string, unknown>> =
    typeof event === 'object' && event !== null ? { ...event } : {};
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new RotationError(`The event has no ${name}; expected one that Secrets Manager sends to rotate.`);
  };
  const given = text('Step');
  const step = rotationSteps.find((one) => one === given);
  if (step === undefined) {
    throw new RotationError(
      `The step is ${JSON.stringify(given)}; expected one of ${rotationSteps.join(', ')}.`,
    );
  }
  return { secretArn: text('SecretId'), versionId: text('ClientRequestToken'), step };
}
