import { Duration, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as bounds from '../lambdas/contract/heartbeat.ts';
import { heartbeatDetailType, heartbeatSource } from '../lambdas/order-feed/order-status-changed.ts';
import { noSuccess } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import type { OrderFeed } from './order-feed.ts';
import type { OrderQuery } from './order-query.ts';

export interface HeartbeatReturnProps extends StageProps {
  readonly orderFeed: OrderFeed;
  readonly orderQuery: OrderQuery;
}

/** Receives heartbeats from the bus, and an alarm fires when none came in time (ADR 17). */
export class HeartbeatReturn extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: HeartbeatReturnProps) {
    super(scope, id);
    const { configuration, encryption, alarms, orderFeed, orderQuery } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'heartbeat-return',
      description: 'Checks that heartbeats return in time, as order systems would see them.',
      timeoutSeconds: bounds.heartbeatTimeoutSeconds,
      environment: { [variables.orderQueryUrl]: orderQuery.baseUrl },
      configuration,
      encryption,
    });
    orderQuery.grantReadOrder(this.function);
    this.#connectSwitch(props);
    this.#receiveFrom(orderFeed);
    const minutes = thresholds.heartbeatMissingAlarmMinutes;
    alarms.add('HeartbeatMissing', {
      meaning:
        `For ${minutes} minutes no event that the stack sent to itself went through in time: webhooks are ` +
        'refused, not recorded or not published, or the order query does not return orders.',
      metric: noSuccess(this.function, Duration.minutes(1)),
      periods: minutes,
      firesWithoutData: true,
    });
  }

  /** The switch is called only while the stack's own topic reaches someone. */
  #connectSwitch({ configuration: { deadMansSwitchUrl }, alarms: { ownTopic } }: HeartbeatReturnProps): void {
    if (deadMansSwitchUrl === undefined) return;
    this.function.lambda.addEnvironment(variables.deadMansSwitchUrl, deadMansSwitchUrl);
    if (ownTopic === undefined) return;
    const { region, urlSuffix } = Stack.of(this);
    const query = `Action=GetTopicAttributes&Version=2010-03-31&TopicArn=${ownTopic.topicArn}`;
    const url = `https://sns.${region}.${urlSuffix}/?${query}`;
    this.function.lambda.addEnvironment(variables.alarmTopicUrl, url);
    const resourceArns = [ownTopic.topicArn];
    Grant.addToPrincipal({ grantee: this.function, actions: ['sns:GetTopicAttributes'], resourceArns });
  }

  #receiveFrom({ bus }: OrderFeed): void {
    const maxEventAge = Duration.minutes(bounds.heartbeatIntervalMinutes);
    // One that failed does not succeed later.
    this.function.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge });
    new Rule(this, 'Rule', {
      eventBus: bus,
      description: 'Returns heartbeats from the bus.',
      eventPattern: { source: [heartbeatSource], detailType: [heartbeatDetailType] },
      targets: [new LambdaFunction(this.function.lambda, { retryAttempts: 2, maxEventAge })],
    });
  }
}
