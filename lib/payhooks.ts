import type { IAlarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type IEventBus, type OnEventOptions, Rule } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { metricNames } from '../lambdas/contract/metrics.ts';
import { feedDetailType, feedSources } from '../lambdas/order-feed/order-status-changed.ts';
import { letAlarmsPublish } from './alarm-topic.ts';
import { Deployment } from './deployment.ts';
import { serviceStatements } from './key-policy.ts';
import { NodeFunction } from './node-function.ts';
import type { PayhooksProps } from './payhooks-props.ts';
import { problemsOf } from './props-problems.ts';
import { configurationOf } from './props-settings.ts';

export interface OnOrderStatusChangedOptions extends OnEventOptions {
  /** Which orders; live ones by default. */
  readonly mode?: 'live' | 'sandbox';
}

export interface GrantOperateOptions {
  /** Bodies of webhooks, which are customer data. Default: true. */
  readonly bodies?: boolean;
  /** What changes orders: admit, dismiss, resolve, replay, erase. Default: true. */
  readonly acts?: boolean;
}

/**
 * Receives the webhooks of a payment service, records each event once, and folds them into the states of
 * orders, which order systems query and subscribe to. After the deployment, its output `PutPrivateKey` has
 * the next command.
 */
export class Payhooks extends Deployment {
  /** The URL to register with the payment service. */
  readonly webhookUrl: string;
  /** The address of the order query, without a slash at its end; `grantQuery` lets a role call it. */
  readonly orderQueryUrl: string;
  /** The address of the operations API; `grantOperate` lets a role call it. */
  readonly operationsUrl: string;
  /** Has the events `OrderStatusChanged`; `onOrderStatusChanged` makes a rule for them. */
  readonly bus: IEventBus;
  /** The private keys; `npx payhooks keys set` fills it. */
  readonly keySecret: ISecret;
  /** Every event as it was received. For backups and exports: what is in it is no contract. */
  readonly eventsTable: ITable;
  /** The same for the orders. */
  readonly ordersTable: ITable;
  /** Acknowledged events that are not yet recorded. */
  readonly eventQueue: IQueue;
  /** Events that could not be recorded. */
  readonly deadLetterQueue: IQueue;
  /** What the alarms whose severity is `now` notify. */
  readonly alarmTopic: ITopic;
  /** By their names in `docs/runbook.md`, such as `EventsDelayed`. */
  readonly alarms: Readonly<Record<string, IAlarm>>;
  /** By their stages, such as `verifier` and `order-query`: for what this construct has no prop. */
  readonly functions: Readonly<Record<string, IFunction>>;

  constructor(scope: Construct, id: string, props: PayhooksProps = {}) {
    super(scope, id, {
      deploymentName: props.deploymentName,
      configure: (deployment) => configurationOf(deployment, props, problemsOf(props)),
    });
    const { verifier, orderQuery, operations, orderFeed, tables, eventQueue, alarms } = this.parts;
    if (typeof props.encryptionKey === 'object')
      for (const statement of serviceStatements(this)) {
        // Several deployments may share the key, and a policy has an id once.
        statement.sid = undefined;
        props.encryptionKey.addToResourcePolicy(statement);
      }
    for (const topic of new Set([props.alarmTopic, props.ticketTopic]))
      if (topic !== undefined) letAlarmsPublish(this, topic);
    this.webhookUrl = verifier.webhookUrl;
    this.orderQueryUrl = orderQuery.baseUrl;
    this.operationsUrl = operations.baseUrl;
    // The casts: CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
    this.bus = orderFeed.bus as IEventBus;
    this.keySecret = Secret.fromSecretCompleteArn(this, 'KeySecret', verifier.keySecret.secretArn);
    this.eventsTable = tables.events;
    this.ordersTable = tables.orders;
    this.eventQueue = eventQueue.queue;
    this.deadLetterQueue = eventQueue.deadLetters;
    this.alarmTopic = alarms.topic;
    this.alarms = alarms.byName;
    const parts = this.node.findAll().filter((part) => part instanceof NodeFunction);
    this.functions = Object.fromEntries(parts.map(({ stage, lambda }) => [stage, lambda]));
  }

  /** Lets a role read orders and events through the order query. */
  grantQuery(grantee: IGrantable): Grant {
    return grantInvoke(grantee, [this.parts.orderQuery.invokeArn]);
  }

  /** Lets a role see what waits and decide on it, with the command line, the console or a client. */
  grantOperate(grantee: IGrantable, { bodies = true, acts = true }: GrantOperateOptions = {}): Grant {
    const { operations } = this.parts;
    const looking = ['waiting*', 'events*', 'keys', 'approvals'].map((path) => `GET/operations/${path}`);
    const routes = [
      ...looking,
      ...(bodies ? ['GET/operations/bodies/*'] : []),
      ...(acts ? ['POST/operations/*'] : []),
    ];
    return grantInvoke(grantee, routes.map(operations.routeArn));
  }

  /** Lets a role store and rotate private keys, as `npx payhooks keys` does. It can read them, too. */
  grantPutKeys(grantee: IGrantable): Grant {
    const { verifier, encryption } = this.parts;
    encryption.grantEncrypt(grantee, 'secretsmanager');
    return Grant.addToPrincipal({
      grantee,
      actions: ['GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
        (action) => `secretsmanager:${action}`,
      ),
      resourceArns: [verifier.keySecret.secretArn],
    });
  }

  /**
   * A rule for every change of an order (`docs/order-feed.md`). A target gets each change at least once, in
   * any order: the one with the higher `detail.sequence` is newer.
   */
  onOrderStatusChanged(id: string, options: OnOrderStatusChangedOptions = {}): Rule {
    const { mode = 'live', target, eventPattern, crossStackScope = this, ...props } = options;
    const pattern = { ...eventPattern, source: [feedSources[mode]], detailType: [feedDetailType] };
    const rule = new Rule(crossStackScope, id, { ...props, eventBus: this.bus, eventPattern: pattern });
    rule.addTarget(target);
    return rule;
  }

  /** Webhooks that got a 5xx response: the payment service must deliver them again. */
  metricWebhookServerErrors(options?: MetricOptions): Metric {
    return this.parts.verifier.endpoint.serverErrors().with({ ...options });
  }

  /** The age of the oldest acknowledged event that is not recorded, in seconds. */
  metricEventAge(options?: MetricOptions): Metric {
    return this.eventQueue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, ...options });
  }

  /** How much waits for a person, counted every three minutes. */
  metricDecisionsWaiting(options?: MetricOptions): Metric {
    return this.parts.waitingCount.function.highest(metricNames.decisionsWaiting).with({ ...options });
  }
}

const grantInvoke = (grantee: IGrantable, resourceArns: string[]): Grant =>
  Grant.addToPrincipal({ grantee, actions: ['execute-api:Invoke'], resourceArns });
