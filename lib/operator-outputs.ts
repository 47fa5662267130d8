import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Dashboard, DashboardProps } from './dashboard.ts';
import type { Encryption } from './encryption.ts';
import { metricsNamespaceOf, type NodeFunction } from './node-function.ts';
import type { Operations } from './operations.ts';
import type { OrderQuery } from './order-query.ts';
import { publishOutputs } from './published-outputs.ts';
import type { SelfCheck } from './self-check.ts';
import type { Tables } from './tables.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { Verifier } from './verifier.ts';
import type { WebhookAudit } from './webhook-audit.ts';

export interface OperatorOutputsParts extends DashboardProps {
  readonly encryption: Encryption;
  readonly tables: Tables;
  readonly orderQuery: OrderQuery;
  readonly operations: Operations;
  readonly selfCheck: SelfCheck;
  readonly webhookAudit: WebhookAudit | undefined;
  readonly tokenRefresh: TokenRefresh | undefined;
  readonly dashboard: Dashboard;
}

/** The outputs for the operator: the two steps after a deployment, and the names of resources. */
export function addOperatorOutputs(stack: Stack, parts: OperatorOutputsParts): void {
  const { eventQueue, verifier, tables, orderQuery, orderFeed } = parts;
  const add: AddOutput = (id, value, description) => {
    new CfnOutput(stack, id, { value, description });
  };
  addPaymentServiceOutputs(parts, add);
  add('WebhookUrl', verifier.webhookUrl, 'The URL to which the payment service delivers.');
  addDomainOutputs(verifier, add);
  add('RegisterWebhook', howToRegister(stack, parts), 'Step 2: register the webhook.');
  add('KeySecretArn', verifier.keySecret.secretArn, 'The private keys; empty after the first deployment.');
  const putKey = `npx payhooks keys set --stack ${stack.stackName}`;
  add(
    'PutPrivateKey',
    putKey,
    'Step 1: store the private key of the one account of this stack; the command prompts for it.',
  );
  add('OrderQueryUrl', orderQuery.baseUrl, 'The API of order systems; requests are signed with AWS SigV4.');
  add('OrderQueryInvokeArn', orderQuery.invokeArn, 'The resource of execute-api:Invoke for order systems.');
  addOperationsOutputs(parts, add);
  add('OrderFeedBusName', orderFeed.bus.eventBusName, 'The name of the bus of the order feed.');
  add('OrderFeedBusArn', orderFeed.bus.eventBusArn, 'The bus for the rules of order systems.');
  add('OrderFeedArchiveArn', orderFeed.archive.archiveArn, 'The source ARN of a replay.');
  add('FeedFailureQueueUrl', orderFeed.failures.queueUrl, 'Changes that were not published.');
  add('EventQueueUrl', eventQueue.queue.queueUrl, 'Acknowledged events that are not yet recorded.');
  add('DeadLetterQueueUrl', eventQueue.deadLetters.queueUrl, 'Events that could not be recorded.');
  add('DeadLetterQueueArn', eventQueue.deadLetters.queueArn, 'The source ARN of a redrive.');
  add('EventsTableName', tables.events.tableName, 'Every event as it was received.');
  add('OrdersTableName', tables.orders.tableName, 'Every order and its facts.');
  const { logLevel, sequenceBase } = parts.configuration;
  add(
    'SequenceBase',
    String(sequenceBase),
    'Added to the sequence of every order; a restore needs a larger one.',
  );
  add('LogLevel', logLevel, 'Whether functions also log what went well (info), or only faults (warn).');
  const perFault = (what: string, fault: string): string =>
    `One line per ${logLevel === 'info' ? what : fault}.`;
  const of = ({ function: { logs } }: { readonly function: NodeFunction }): string => logs.logGroupName;
  add('VerifierLogGroup', of(verifier), perFault('webhook', 'webhook that is not accepted'));
  add('ConsumerLogGroup', of(parts.consumer), perFault('event', 'event that waits or is retried'));
  add('WaitingCountLogGroup', of(parts.waitingCount), 'One line per change of what waits.');
  add(
    'SelfCheckLogGroup',
    of(parts.selfCheck),
    'One line per check, and per difference from what was deployed.',
  );
  add('OrderQueryLogGroup', of(orderQuery), 'One line per failed query.');
  add('OrderFeedLogGroup', of(orderFeed), perFault('change', 'change that is not published'));
  const perRequest = 'One line per request, also a refused one.';
  add('WebhookAccessLogGroup', verifier.endpoint.accessLogs.logGroupName, perRequest);
  add(
    'OrderQueryAccessLogGroup',
    orderQuery.accessLogs.logGroupName,
    `${perRequest} It shows who reads what.`,
  );
  addTopicOutputs(parts, add);
  const { key } = parts.encryption;
  if (key !== undefined) add('EncryptionKeyArn', key.keyArn, 'The key of everything that is stored.');
  addHeartbeatOutputs(parts, add);
  add('DashboardUrl', parts.dashboard.url, 'The pipeline on one screen.');
  publishOutputs(stack);
}

function addHeartbeatOutputs({ heartbeat, configuration }: OperatorOutputsParts, add: AddOutput): void {
  add('MetricsNamespace', metricsNamespaceOf(configuration), 'The metrics of the functions.');
  add('HeartbeatLogGroup', heartbeat.function.logs.logGroupName, 'Two lines per heartbeat.');
  const { clientCertificate } = heartbeat;
  if (clientCertificate === undefined) return;
  add('HeartbeatCertificateArn', clientCertificate.secretArn, 'npx payhooks heartbeat certificate fills it.');
}

type AddOutput = (id: string, value: string, description: string) => void;

function addOperationsOutputs({ operations }: OperatorOutputsParts, add: AddOutput): void {
  add('OperationsUrl', operations.baseUrl, 'The API of operators; requests are signed with AWS SigV4.');
  add('OperationsInvokeArn', operations.invokeArn, 'The resource of execute-api:Invoke for operators.');
  add('OperationsLogGroup', operations.function.logs.logGroupName, 'One line per act and failed request.');
  add(
    'OperationsAccessLogGroup',
    operations.accessLogs.logGroupName,
    'One line per request, also a refused one. It shows who reads what.',
  );
}

function addTopicOutputs({ alarms: { topic, ticketTopic } }: OperatorOutputsParts, add: AddOutput): void {
  if (topic === ticketTopic) {
    add('AlarmTopicArn', topic.topicArn, 'The topic of all alarms.');
    return;
  }
  add('AlarmTopicArn', topic.topicArn, 'The topic of the alarms whose severity is now.');
  add('TicketTopicArn', ticketTopic.topicArn, 'The topic of all other alarms.');
}

/** The DNS record that a custom domain needs. */
function addDomainOutputs({ domain }: Verifier, add: AddOutput): void {
  if (domain === undefined) return;
  add('WebhookDomainTarget', domain.target, `The DNS target of ${domain.baseUrl.slice(8)}.`);
  add('WebhookDomainHostedZoneId', domain.targetHostedZoneId, 'The hosted zone of that target.');
}

/** The settings for calls to the payment service, which the CLI makes from the operator's machine. */
function addPaymentServiceOutputs(
  { configuration, webhookAudit, tokenRefresh }: OperatorOutputsParts,
  add: AddOutput,
): void {
  const { paymentServiceBaseUrl, signatureHeader, requiredEvents } = configuration;
  add('SignatureHeader', signatureHeader, 'The header that carries the signature.');
  add('RequiredEvents', requiredEvents.join(','), 'The events that the webhook must be registered for.');
  if (paymentServiceBaseUrl === undefined || webhookAudit === undefined) return;
  add('PaymentServiceBaseUrl', paymentServiceBaseUrl, 'The address of the payment service.');
  add('WebhookAuditLogGroup', webhookAudit.function.logs.logGroupName, 'One line per audit and finding.');
  if (tokenRefresh === undefined) return;
  add('TokenSecretArn', tokenRefresh.tokenSecret.secretArn, 'The OAuth token; npx payhooks token set.');
  add('TokenRefreshLogGroup', tokenRefresh.function.logs.logGroupName, 'One line per step of a rotation.');
}

/** The CLI can only register the webhook when the address of the payment service is known. */
function howToRegister(stack: Stack, { configuration, verifier }: OperatorOutputsParts): string {
  const { paymentServiceBaseUrl, requiredEvents } = configuration;
  if (paymentServiceBaseUrl !== undefined) return `npx payhooks webhooks register --stack ${stack.stackName}`;
  return (
    `Register ${verifier.webhookUrl} in the payment service's dashboard, ` +
    `for the events ${requiredEvents.join(' and ')} at least.`
  );
}
