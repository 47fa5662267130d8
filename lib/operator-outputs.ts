import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { Consumer } from './consumer.ts';
import type { EventQueue } from './event-queue.ts';
import type { OrderFeed } from './order-feed.ts';
import type { OrderQuery } from './order-query.ts';
import type { Tables } from './tables.ts';
import type { Verifier } from './verifier.ts';

export interface OperatorOutputsParts {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly eventQueue: EventQueue;
  readonly verifier: Verifier;
  readonly consumer: Consumer;
  readonly tables: Tables;
  readonly orderQuery: OrderQuery;
  readonly orderFeed: OrderFeed;
}

/** What an operator needs after a deployment: the two steps left to do, and the names of things. */
export function addOperatorOutputs(stack: Stack, parts: OperatorOutputsParts): void {
  const { eventQueue, verifier, tables, orderQuery, orderFeed } = parts;
  const add = (id: string, value: string, description: string): void => {
    new CfnOutput(stack, id, { value, description });
  };
  add('WebhookUrl', verifier.webhookUrl, 'Where the payment service delivers.');
  add('RegisterWebhook', howToRegister(parts), 'Step 2: tell the payment service.');
  add(
    'KeySecretArn',
    verifier.keySecret.secretArn,
    'Holds the private keys; empty after the first deployment.',
  );
  add('PutPrivateKey', putCommand(verifier), 'Step 1: run this, paste the private key, press Enter.');
  add('OrderQueryUrl', orderQuery.baseUrl, 'Where order systems ask, with requests signed by AWS SigV4.');
  add('OrderQueryInvokeArn', orderQuery.invokeArn, 'What they need execute-api:Invoke on.');
  add('OrderFeedBusArn', orderFeed.bus.eventBusArn, 'Where order systems put their rules.');
  add('OrderFeedArchiveArn', orderFeed.archive.archiveArn, 'What a replay names as its source.');
  add('FeedFailureQueueUrl', orderFeed.failures.queueUrl, 'Names changes that were given up on.');
  add('EventQueueUrl', eventQueue.queue.queueUrl, 'Acknowledged events that wait to be recorded.');
  add('DeadLetterQueueUrl', eventQueue.deadLetters.queueUrl, 'Events that could not be recorded.');
  add('DeadLetterQueueArn', eventQueue.deadLetters.queueArn, 'What a redrive names as its source.');
  add('EventsTableName', tables.events.tableName, 'Every event as it was received.');
  add('OrdersTableName', tables.orders.tableName, 'Every order and its facts.');
  add('VerifierLogGroup', verifier.function.logs.logGroupName, 'One line per webhook.');
  add('ConsumerLogGroup', parts.consumer.function.logs.logGroupName, 'One line per event.');
  add('OrderQueryLogGroup', orderQuery.function.logs.logGroupName, 'Queries that failed.');
  add('OrderFeedLogGroup', orderFeed.function.logs.logGroupName, 'One line per published change.');
  add(
    'WebhookAccessLogGroup',
    verifier.endpoint.accessLogs.logGroupName,
    'Every request, also refused ones.',
  );
  add('AlarmTopicArn', parts.alarms.topic.topicArn, 'Where the alarms go.');
}

/**
 * Reads the key from the terminal without an echo: it reaches neither
 * the shell's history nor the process list.
 */
function putCommand({ keySecret }: Verifier): string {
  return (
    'read -rs KEY && printf %s "$KEY" | aws secretsmanager put-secret-value ' +
    `--secret-id ${keySecret.secretArn} --secret-string file:///dev/stdin; unset KEY`
  );
}

/**
 * The API document names the operation but not its payload (4.2), so
 * nothing more than its address can be given.
 */
function howToRegister({ configuration, verifier }: OperatorOutputsParts): string {
  const base = configuration.paymentServiceBaseUrl;
  const operation = base === undefined ? '' : ` or with POST ${base}/api/v2/webhooks`;
  return (
    `Register ${verifier.webhookUrl} in the payment service's dashboard${operation}, ` +
    'for the events transaction.paid and transaction.refunded at least.'
  );
}
