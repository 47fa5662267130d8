import { Construct, type IDependable } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import * as bounds from '../lambdas/contract/heartbeat.ts';
import { deploymentNameOf } from './deployment-name.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { StackSecret } from './stack-secret.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Verifier } from './verifier.ts';

export interface HeartbeatProps extends StageProps {
  readonly verifier: Verifier;
}

/**
 * Sends an event of its own through the whole chain, from the registered URL to the bus and
 * `HeartbeatReturn`: the proof that nothing in between is broken, whatever it is (ADR 17).
 */
export class Heartbeat extends Construct {
  readonly function: NodeFunction;
  /** Also the proof of the operations API (ADR 22). */
  readonly keySecret: StackSecret;
  /** With mutual TLS, what the stack presents to its own endpoint; an operator stores it. */
  readonly clientCertificate: StackSecret | undefined;
  readonly #schedule: Construct;

  constructor(scope: Construct, id: string, props: HeartbeatProps) {
    super(scope, id);
    const { configuration, encryption, verifier } = props;
    // It protects no payment, so a new stack makes a new one.
    this.keySecret = new StackSecret(this, 'KeySecret', {
      description: 'Signs heartbeats, and proves that operations were called through their API.',
      generatedDigits: 64,
      isKept: false,
      encryption,
    });
    this.clientCertificate =
      configuration.webhookTruststoreUri === undefined
        ? undefined
        : new StackSecret(this, 'ClientCertificate', {
            description: 'The client certificate of heartbeats; npx payhooks heartbeat certificate fills it.',
            isKept: configuration.keepData,
            encryption,
          });
    const { keySecret } = this;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'heartbeat',
      description: 'Delivers an event of its own to the webhook.',
      timeoutSeconds: bounds.heartbeatTimeoutSeconds,
      environment: {
        [variables.webhookUrl]: verifier.webhookUrl,
        [variables.signatureHeader]: configuration.signatureHeader,
        [variables.heartbeatKeySecretArn]: keySecret.secretArn,
        ...(this.clientCertificate && {
          [variables.clientCertificateSecretArn]: this.clientCertificate.secretArn,
        }),
      },
      configuration,
      encryption,
    });
    verifier.acceptHeartbeats(keySecret);
    keySecret.grantGetValue(this.function);
    this.clientCertificate?.grantGetValue(this.function);
    this.#schedule = addSchedule(this, {
      target: this.function,
      intervalMinutes: bounds.heartbeatIntervalMinutes,
      description: `Sends a heartbeat through ${deploymentNameOf(this)}.`,
    });
    this.startAfter(this.function);
  }

  /**
   * An older consumer or feed could not read a heartbeat. So whatever can fail in a deployment comes before
   * the first one, and none is under way when a rollback returns to an older release.
   */
  startAfter(...parts: readonly IDependable[]): void {
    this.#schedule.node.addDependency(...parts);
  }
}
