/** The steps of a rotation, in order. */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof rotationSteps)[number];

/** One step of one rotation, requested by Secrets Manager. */
export interface RotationRequest {
  readonly secretArn: string;
  /** The id of the version that the rotation creates. */
  readonly versionId: string;
  readonly step: RotationStep;
}

/** A rotation that cannot continue. The message names the next step and never quotes a token. */
export class RotationError extends Error {
  override readonly name = 'RotationError';
}

/** Throws a `RotationError` for any other event. */
export function parseRotationEvent(event: unknown): RotationRequest {
  const fields: Readonly<Record<string, unknown>> = Object(event);
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new RotationError(`The event has no ${name}; expected a rotation event of Secrets Manager.`);
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
