import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { Consumer } from './consumer.ts';
import type { EventQueue } from './event-queue.ts';
import type { OrderFeed } from './order-feed.ts';
import type { OrderQuery } from './order-query.ts';
import type { Tables } from './tables.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { Verifier } from './verifier.ts';
import type { WebhookAudit } from './webhook-audit.ts';

export interface OperatorOutputsParts {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly eventQueue: EventQueue;
  readonly verifier: Verifier;
  readonly consumer: Consumer;
  readonly tables: Tables;
  readonly orderQuery: OrderQuery;
  readonly orderFeed: OrderFeed;
  readonly webhookAudit: WebhookAudit | undefined;
  readonly tokenRefresh: TokenRefresh | undefined;
}

/** What an operator needs after a deployment: the two steps left to do, and the names of things. */
export function addOperatorOutputs(stack: Stack, parts: OperatorOutputsParts): void {
  const { eventQueue, verifier, tables, orderQuery, orderFeed } = parts;
  const add: AddOutput = (id, value, description) => {
    new CfnOutput(stack, id, { value, description });
  };
  addPaymentServiceOutputs(parts, add);
  add('WebhookUrl', verifier.webhookUrl, 'Where the payment service delivers.');
  addDomainOutputs(verifier, add);
  add('RegisterWebhook', howToRegister(stack, parts), 'Step 2: tell the payment service.');
  add(
    'KeySecretArn',
    verifier.keySecret.secretArn,
    'Holds the private keys; empty after the first deployment.',
  );
  const putKey = `npx payhooks keys set --stack ${stack.stackName}`;
  add('PutPrivateKey', putKey, 'Step 1: it asks for the private key, and does not show it.');
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

type AddOutput = (id: string, value: string, description: string) => void;

/** What is left to do in the DNS, where the webhook API has a name of the merchant's own. */
function addDomainOutputs({ domain }: Verifier, add: AddOutput): void {
  if (domain === undefined) return;
  add('WebhookDomainTarget', domain.target, `Where the DNS has to point ${domain.baseUrl.slice(8)}.`);
  add('WebhookDomainHostedZoneId', domain.targetHostedZoneId, 'Of the target, for an alias record.');
}

/** What the command `payhooks` reads: it asks the payment service from the operator's own machine. */
function addPaymentServiceOutputs(
  { configuration, webhookAudit, tokenRefresh }: OperatorOutputsParts,
  add: AddOutput,
): void {
  const { paymentServiceBaseUrl, signatureHeader, requiredEvents } = configuration;
  add('SignatureHeader', signatureHeader, 'The header that carries the signature.');
  add('RequiredEvents', requiredEvents.join(','), 'What the webhook has to be registered for.');
  if (paymentServiceBaseUrl === undefined || webhookAudit === undefined) return;
  add('PaymentServiceBaseUrl', paymentServiceBaseUrl, 'Where the webhook is registered.');
  add('WebhookAuditLogGroup', webhookAudit.function.logs.logGroupName, 'One line per audit and finding.');
  if (tokenRefresh === undefined) return;
  add('TokenSecretArn', tokenRefresh.tokenSecret.secretArn, 'Holds the OAuth token: payhooks token set.');
  add('TokenRefreshLogGroup', tokenRefresh.function.logs.logGroupName, 'One line per step of a rotation.');
}

/** Without the payment service's address only its dashboard is left. */
function howToRegister(stack: Stack, { configuration, verifier }: OperatorOutputsParts): string {
  const { paymentServiceBaseUrl, requiredEvents } = configuration;
  if (paymentServiceBaseUrl !== undefined) return `npx payhooks webhooks register --stack ${stack.stackName}`;
  return (
    `Register ${verifier.webhookUrl} in the payment service's dashboard, ` +
    `for the events ${requiredEvents.join(' and ')} at least.`
  );
}
