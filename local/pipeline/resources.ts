import type { StackModel } from '@payhooks/cdk-local';
import { variables } from '../../lambdas/contract/environment.ts';

/** The parts of the stack that the demo, the console and the tests use. */
export interface PipelineResources {
  /** The header that carries the signature. */
  readonly signatureHeader: string;
  /** The id of the secret with the private keys, which is its ARN. */
  readonly keySecretId: string;
  /** The same of the secret with the OAuth tokens, where the stack has one. */
  readonly tokenSecretId: string | undefined;
  readonly eventQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly eventsTableName: string;
  readonly ordersTableName: string;
  /** Receives the changes that the order feed discarded. */
  readonly feedFailureQueueUrl: string;
}

/** Finds them by the environment variables of the functions. Throws when one is missing. */
export function findResources(model: StackModel): PipelineResources {
  const { functions, queues } = model;
  const optional = (name: string): string | undefined =>
    functions.map((one) => one.environment[name]).find((one) => one !== undefined);
  const setting = (name: string): string => {
    const value = optional(name);
    if (value === undefined) throw new Error(`No function of the template has the variable ${name}.`);
    return value;
  };
  const eventQueueUrl = setting(variables.eventQueueUrl);
  const source = queues.find((queue) => queue.url === eventQueueUrl);
  const deadLetters = queues.find((queue) => queue.arn === source?.deadLetterArn);
  if (deadLetters === undefined)
    throw new Error(`${variables.eventQueueUrl} is no queue with a dead-letter queue.`);
  const feed = functions.find(({ environment }) => environment[variables.feedBusName] !== undefined);
  const feedMapping = model.streamMappings.find(({ functionName }) => functionName === feed?.name);
  const feedFailures = queues.find((queue) => queue.arn === feedMapping?.failureQueueArn);
  if (feedFailures === undefined) throw new Error('The order feed has no queue for failures.');
  return {
    signatureHeader: setting(variables.signatureHeader),
    keySecretId: setting(variables.keySecretArn),
    tokenSecretId: optional(variables.tokenSecretArn),
    eventQueueUrl,
    deadLetterQueueUrl: deadLetters.url,
    eventsTableName: setting(variables.eventsTableName),
    ordersTableName: setting(variables.ordersTableName),
    feedFailureQueueUrl: feedFailures.url,
  };
}
