import type { StackModel } from '@payhooks/cdk-local';

export type PipelineResources = ReturnType<typeof findResources>;

/** The parts of the stack that local mode and its tests use directly, from its outputs. */
export function findResources({ outputs }: Pick<StackModel, 'outputs'>) {
  const output = (name: string): string => {
    const value = outputs[name];
    if (value === undefined) throw new Error(`The stack has no output ${name}.`);
    return value;
  };
  return {
    /** The header that carries the signature. */
    signatureHeader: output('SignatureHeader'),
    /** The ARN of the secret with the private keys. */
    keySecretId: output('KeySecretArn'),
    /** The ARN of the secret with the OAuth tokens, if the stack has one. */
    tokenSecretId: outputs['TokenSecretArn'],
    eventQueueUrl: output('EventQueueUrl'),
    deadLetterQueueUrl: output('DeadLetterQueueUrl'),
    eventsTableName: output('EventsTableName'),
    ordersTableName: output('OrdersTableName'),
    /** Receives the changes that the order feed could not publish. */
    feedFailureQueueUrl: output('FeedFailureQueueUrl'),
  };
}
