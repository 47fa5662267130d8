import type { StackModel } from '@payhooks/cdk-local';
import { variables } from '../../lambdas/contract/environment.ts';

/** The parts of the stack that local mode and its tests use directly. */
export interface PipelineResources {
  /** The header that carries the signature. */
  readonly signatureHeader: string;
  /** The ARN of the secret with the private keys. */
  readonly keySecretId: string;
  /** The ARN of the secret with the OAuth tokens, if the stack has one. */
  readonly tokenSecretId: string | undefined;
  readonly eventQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly eventsTableName: string;
  readonly ordersTableName: string;
  /** Receives the changes that the order feed could not publish. */
  readonly feedFailureQueueUrl: string;
}

/** Finds them by the environment variables of the functions. Throws when one is missing. */
export function findResources({ functions, queues, streamMappings }: StackModel): PipelineResources {
  const optional = (name: string): string | undefined =>
    functions.map(({ environment }) => environment[name]).find((value) => value !== undefined);
  const setting = (name: string): string => {
    const value = optional(name);
    if (value === undefined) throw new Error(`No function of the template has the variable ${name}.`);
    return value;
  };
  const queueUrl = (arn: string | undefined, purpose: string): string => {
    const queue = queues.find((one) => one.arn === arn);
    if (queue === undefined) throw new Error(`The template has no queue for ${purpose}.`);
    return queue.url;
  };
  const eventQueueUrl = setting(variables.eventQueueUrl);
  const eventQueue = queues.find(({ url }) => url === eventQueueUrl);
  const feed = functions.find(({ environment }) => environment[variables.feedBusName] !== undefined);
  const feedMapping = streamMappings.find(({ functionName }) => functionName === feed?.name);
  return {
    signatureHeader: setting(variables.signatureHeader),
    keySecretId: setting(variables.keySecretArn),
    tokenSecretId: optional(variables.tokenSecretArn),
    eventQueueUrl,
    deadLetterQueueUrl: queueUrl(eventQueue?.deadLetterArn, 'dead letters'),
    eventsTableName: setting(variables.eventsTableName),
    ordersTableName: setting(variables.ordersTableName),
    feedFailureQueueUrl: queueUrl(feedMapping?.failureQueueArn, 'failures of the order feed'),
  };
}
