import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import { sealRotationDays, sealRotationTimeoutSeconds, sealSecretDigits } from '../lambdas/contract/seal.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { rotateSecret } from './secret-rotation.ts';
import { StackSecret } from './stack-secret.ts';

/**
 * The secret with which the verifier seals its messages, so that the consumer counts no other ones: the
 * right to write to the queue or to invoke the consumer does not include reading it (ADR 20).
 */
export class Seal extends Construct {
  readonly #secret: StackSecret;
  /** Rotates it. */
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, { configuration, encryption }: StageProps) {
    super(scope, id);
    this.#secret = new StackSecret(this, 'Secret', {
      description: 'Seals the messages of the event queue; no person needs it.',
      generatedDigits: sealSecretDigits,
      // A message in a queue that a deleted stack left has a seal of its secret.
      isKept: configuration.keepData,
      adoptedArn: configuration.sealSecretArn,
      encryption,
    });
    this.function = new NodeFunction(this, 'Function', {
      stage: 'seal',
      description: 'Rotates the keys that seal the messages of the event queue.',
      timeoutSeconds: sealRotationTimeoutSeconds,
      environment: { [variables.sealSecretArn]: this.#secret.secretArn },
      configuration,
      encryption,
    });
    rotateSecret(this, {
      secret: this.#secret,
      by: this.function,
      scheduleExpression: `rate(${sealRotationDays} days)`,
      encryption,
    });
  }

  /** Lets the verifier seal, and the consumer check. No other function may read the secret. */
  share(stage: NodeFunction): void {
    stage.lambda.addEnvironment(variables.sealSecretArn, this.#secret.secretArn);
    this.#secret.grantGetValue(stage);
  }
}
