import { CfnOutput } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { deploymentOutput } from '../lambdas/contract/deployment-metadata.ts';
import type { Consumer } from './consumer.ts';
import {
  deploymentAddressOf,
  deploymentNameOf,
  metricsNamespaceOf,
  outputPrefixOf,
} from './deployment-name.ts';
import type { EventQueue } from './event-queue.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { HeartbeatReturn } from './heartbeat-return.ts';
import type { NodeFunction, StageProps } from './node-function.ts';
import type { Operations } from './operations.ts';
import type { OrderFeed } from './order-feed.ts';
import type { OrderQuery } from './order-query.ts';
import type { SelfCheck } from './self-check.ts';
import type { Tables } from './tables.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { Verifier } from './verifier.ts';
import type { WaitingCount } from './waiting-count.ts';
import type { WebhookAudit } from './webhook-audit.ts';

export interface OperatorOutputsParts extends StageProps {
  readonly verifier: Verifier;
  readonly eventQueue: EventQueue;
  readonly consumer: Consumer;
  readonly tables: Tables;
  readonly waitingCount: WaitingCount;
  readonly orderQuery: OrderQuery;
  readonly operations: Operations;
  readonly orderFeed: OrderFeed;
  readonly heartbeat: Heartbeat;
  readonly heartbeatReturn: HeartbeatReturn;
  readonly selfCheck: SelfCheck;
  readonly webhookAudit: WebhookAudit | undefined;
  readonly tokenRefresh: TokenRefresh | undefined;
}

/** One without a value is left out: the settings decide whether there is one. */
type Output = readonly [id: string, value: string | undefined, description: string];

/** The outputs that other stacks need: those of order systems and of the platform. None is a secret. */
const published = [
  'WebhookUrl',
  'OrderQueryUrl',
  'OrderQueryInvokeArn',
  'OrderFeedBusName',
  'OrderFeedBusArn',
  'OperationsUrl',
  'OperationsInvokeArn',
  'AlarmTopicArn',
  'TicketTopicArn',
];

/**
 * The outputs for the operator: the two steps after a deployment, and the names of resources. Those that
 * other stacks need are in parameters `/<deployment>/<output>`, too: another stack of the account can resolve
 * these when it is deployed, and payhooks can be deployed and deleted without it, unlike with an export.
 */
export function addOperatorOutputs(deployment: Construct, parts: OperatorOutputsParts): void {
  const parameters = new Construct(deployment, 'Parameters');
  const name = deploymentNameOf(deployment);
  const outputs: Output[] = [
    [deploymentOutput, name, 'The name of the deployment; the command line finds it by this output.'],
    ...paymentServiceOutputs(parts),
    ...webhookOutputs(parts),
    ...readerOutputs(parts),
    ...dataOutputs(parts),
    ...logOutputs(parts),
    ...alarmOutputs(parts),
  ];
  for (const [id, value, description] of outputs) {
    if (value === undefined) continue;
    const output = new CfnOutput(deployment, id, { value, description });
    output.overrideLogicalId(`${outputPrefixOf(deployment)}${id}`);
    if (!published.includes(id)) continue;
    new StringParameter(parameters, id, { parameterName: `/${name}/${id}`, stringValue: value, description });
  }
}

/** The settings for calls to the payment service, which the CLI makes from the operator's machine. */
function paymentServiceOutputs({ configuration, tokenRefresh }: OperatorOutputsParts): Output[] {
  const { paymentServiceBaseUrl, signatureHeader, requiredEvents } = configuration;
  const tokenSecretArn = tokenRefresh?.tokenSecret.secretArn;
  return [
    ['SignatureHeader', signatureHeader, 'The header that carries the signature.'],
    ['RequiredEvents', requiredEvents.join(','), 'The events that the webhook must be registered for.'],
    ['PaymentServiceBaseUrl', paymentServiceBaseUrl, 'The address of the payment service.'],
    ['TokenSecretArn', tokenSecretArn, 'The OAuth token; npx payhooks token set.'],
  ];
}

function webhookOutputs(parts: OperatorOutputsParts): Output[] {
  const { webhookUrl, keySecret, domain } = parts.verifier;
  return [
    ['WebhookUrl', webhookUrl, 'The URL to which the payment service delivers.'],
    ['WebhookDomainTarget', domain?.target, 'The DNS target of webhookDomainName.'],
    ['WebhookDomainHostedZoneId', domain?.targetHostedZoneId, 'The hosted zone of that target.'],
    ['RegisterWebhook', howToRegister(parts), 'Step 2: register the webhook.'],
    ['KeySecretArn', keySecret.secretArn, 'The private keys; empty after the first deployment.'],
    [
      'PutPrivateKey',
      `npx payhooks keys set --stack ${deploymentAddressOf(parts.verifier)}`,
      'Step 1: store the private key of the one account of this stack; the command prompts for it.',
    ],
  ];
}

/** The CLI can only register the webhook when the address of the payment service is known. */
function howToRegister({ configuration, verifier }: OperatorOutputsParts): string {
  const { paymentServiceBaseUrl, requiredEvents } = configuration;
  if (paymentServiceBaseUrl !== undefined)
    return `npx payhooks webhooks register --stack ${deploymentAddressOf(verifier)}`;
  return (
    `Register ${verifier.webhookUrl} in the payment service's dashboard, ` +
    `for the events ${requiredEvents.join(' and ')} at least.`
  );
}

function readerOutputs({ orderQuery, operations, orderFeed }: OperatorOutputsParts): Output[] {
  return [
    ['OrderQueryUrl', orderQuery.baseUrl, 'The API of order systems; requests are signed with AWS SigV4.'],
    ['OrderQueryInvokeArn', orderQuery.invokeArn, 'The resource of execute-api:Invoke for order systems.'],
    ['OperationsUrl', operations.baseUrl, 'The API of operators; requests are signed with AWS SigV4.'],
    ['OperationsInvokeArn', operations.invokeArn, 'The resource of execute-api:Invoke for operators.'],
    ['OrderFeedBusName', orderFeed.bus.eventBusName, 'The name of the bus of the order feed.'],
    ['OrderFeedBusArn', orderFeed.bus.eventBusArn, 'The bus for the rules of order systems.'],
    ['OrderFeedArchiveArn', orderFeed.archive.archiveArn, 'The source ARN of a replay.'],
    ['FeedFailureQueueUrl', orderFeed.failures.queueUrl, 'Changes that were not published.'],
  ];
}

function dataOutputs(parts: OperatorOutputsParts): Output[] {
  const { eventQueue, tables, encryption, heartbeat, configuration } = parts;
  const certificateArn = heartbeat.clientCertificate?.secretArn;
  return [
    ['EventQueueUrl', eventQueue.queue.queueUrl, 'Acknowledged events that are not yet recorded.'],
    ['DeadLetterQueueUrl', eventQueue.deadLetters.queueUrl, 'Events that could not be recorded.'],
    ['DeadLetterQueueArn', eventQueue.deadLetters.queueArn, 'The source ARN of a redrive.'],
    ['EventsTableName', tables.events.tableName, 'Every event as it was received.'],
    ['OrdersTableName', tables.orders.tableName, 'Every order and its facts.'],
    [
      'SequenceBase',
      String(configuration.sequenceBase),
      'Added to the sequence of every order; a restore needs a larger one.',
    ],
    ['EncryptionKeyArn', encryption.key?.keyArn, 'The key of everything that is stored.'],
    ['HeartbeatCertificateArn', certificateArn, 'npx payhooks heartbeat certificate fills it.'],
  ];
}

function logOutputs(parts: OperatorOutputsParts): Output[] {
  const { logLevel } = parts.configuration;
  const of = (stage: { readonly function: NodeFunction } | undefined) => stage?.function.logs.logGroupName;
  const perFault = (what: string, fault: string): string =>
    `One line per ${logLevel === 'info' ? what : fault}.`;
  const perRequest = 'One line per request, also a refused one.';
  const withReader = `${perRequest} It shows who reads what.`;
  return [
    ['LogLevel', logLevel, 'Whether functions also log what went well (info), or only faults (warn).'],
    ['VerifierLogGroup', of(parts.verifier), perFault('webhook', 'webhook that is not accepted')],
    ['ConsumerLogGroup', of(parts.consumer), perFault('event', 'event that waits or is retried')],
    ['WaitingCountLogGroup', of(parts.waitingCount), 'One line per change of what waits.'],
    [
      'SelfCheckLogGroup',
      of(parts.selfCheck),
      'One line per check, and per difference from what was deployed.',
    ],
    ['OrderQueryLogGroup', of(parts.orderQuery), 'One line per failed query.'],
    ['OrderFeedLogGroup', of(parts.orderFeed), perFault('change', 'change that is not published')],
    ['OperationsLogGroup', of(parts.operations), 'One line per act and failed request.'],
    ['HeartbeatLogGroup', of(parts.heartbeat), 'One line per heartbeat that is sent.'],
    ['HeartbeatReturnLogGroup', of(parts.heartbeatReturn), 'One line per heartbeat that returns.'],
    ['WebhookAuditLogGroup', of(parts.webhookAudit), 'One line per audit and finding.'],
    ['TokenRefreshLogGroup', of(parts.tokenRefresh), 'One line per step of a rotation.'],
    ['WebhookAccessLogGroup', parts.verifier.endpoint.accessLogs.logGroupName, perRequest],
    ['OrderQueryAccessLogGroup', parts.orderQuery.accessLogs.logGroupName, withReader],
    ['OperationsAccessLogGroup', parts.operations.accessLogs.logGroupName, withReader],
  ];
}

function alarmOutputs({ alarms }: OperatorOutputsParts): Output[] {
  const { topic, ticketTopic } = alarms;
  const isOne = topic === ticketTopic;
  const ofTopic = isOne ? 'The topic of all alarms.' : 'The topic of the alarms whose severity is now.';
  return [
    ['AlarmTopicArn', topic.topicArn, ofTopic],
    ['TicketTopicArn', isOne ? undefined : ticketTopic.topicArn, 'The topic of all other alarms.'],
    ['MetricsNamespace', metricsNamespaceOf(alarms), 'The metrics of the functions.'],
  ];
}
