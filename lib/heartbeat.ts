import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct, type IDependable } from 'constructs';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as bounds from '../lambdas/contract/heartbeat.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import { heartbeatDetailType, heartbeatSource } from '../lambdas/order-feed/order-status-changed.ts';
import type { Alarms } from './alarms.ts';
import type { Consumer } from './consumer.ts';
import { filled } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import type { OrderFeed } from './order-feed.ts';
import type { OrderQuery } from './order-query.ts';
import { StackSecret } from './stack-secret.ts';
import type { StageLogs } from './stage-logs.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Verifier } from './verifier.ts';
import type { WaitingCount } from './waiting-count.ts';

export interface HeartbeatProps extends StageProps {
  readonly verifier: Verifier;
  readonly consumer: Consumer;
  readonly waitingCount: WaitingCount;
  readonly orderFeed: OrderFeed;
  readonly orderQuery: OrderQuery;
}

/**
 * Sends an event of its own through the whole chain, from the registered URL to the bus, and an alarm fires
 * when none returns: the proof that nothing in between is broken, whatever it is (ADR 17).
 */
export class Heartbeat extends Construct {
  readonly function: NodeFunction;
  /** With mutual TLS, what the stack presents to its own endpoint; an operator stores it. */
  readonly clientCertificate: StackSecret | undefined;
  readonly #schedule: Construct;

  constructor(scope: Construct, id: string, props: HeartbeatProps) {
    super(scope, id);
    const { configuration, encryption, verifier, orderFeed, orderQuery } = props;
    // It protects no payment, so a new stack makes a new one.
    const keySecret = new StackSecret(this, 'KeySecret', {
      description: 'Signs heartbeats; no person needs it.',
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
    this.function = new NodeFunction(this, 'Function', {
      stage: 'heartbeat',
      description: 'Delivers an event of its own to the webhook, and counts those that reach the bus.',
      timeoutSeconds: bounds.heartbeatTimeoutSeconds,
      environment: {
        [variables.webhookUrl]: verifier.webhookUrl,
        [variables.signatureHeader]: configuration.signatureHeader,
        [variables.heartbeatKeySecretArn]: keySecret.secretArn,
        [variables.orderQueryUrl]: orderQuery.baseUrl,
        ...(this.clientCertificate && {
          [variables.clientCertificateSecretArn]: this.clientCertificate.secretArn,
        }),
      },
      configuration,
      encryption,
    });
    verifier.acceptHeartbeats(keySecret);
    keySecret.grantGetValue(this.function);
    orderQuery.grantReadOrder(this.function);
    this.#connectSwitch(props);
    this.clientCertificate?.grantGetValue(this.function);
    const rule = this.#returnFrom(orderFeed);
    this.#schedule = addSchedule(this, {
      target: this.function,
      intervalMinutes: bounds.heartbeatIntervalMinutes,
      description: `Sends a heartbeat through ${Stack.of(this).stackName}.`,
    });
    this.startAfter(this.function, rule);
    this.#watchReturn(props.alarms);
    this.#watchLogs(props);
  }

  /**
   * An older consumer or feed could not read a heartbeat. So whatever can fail in a deployment comes before
   * the first one, and none is under way when a rollback returns to an older release.
   */
  startAfter(...parts: readonly IDependable[]): void {
    this.#schedule.node.addDependency(...parts);
  }

  /** The switch is called only while the stack's own topic reaches someone. */
  #connectSwitch({ configuration: { deadMansSwitchUrl }, alarms: { ownTopic } }: HeartbeatProps): void {
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

  #returnFrom({ bus }: OrderFeed): Rule {
    return new Rule(this, 'Return', {
      eventBus: bus,
      description: 'Returns heartbeats from the bus.',
      eventPattern: { source: [heartbeatSource], detailType: [heartbeatDetailType] },
      targets: [
        new LambdaFunction(this.function.lambda, {
          retryAttempts: 2,
          maxEventAge: Duration.minutes(bounds.heartbeatIntervalMinutes),
        }),
      ],
    });
  }

  #watchReturn(alarms: Alarms): void {
    const period = Duration.minutes(1);
    const minutes = thresholds.heartbeatMissingAlarmMinutes;
    alarms.add('HeartbeatMissing', {
      meaning:
        `For ${minutes} minutes no event that the stack sent to itself went through in time: webhooks are ` +
        'refused, not recorded or not published, or the order query does not return orders.',
      metric: filled(this.function.samples(metricNames.heartbeatReturned, period)),
      periods: minutes,
      firesBelow: true,
    });
  }

  /**
   * The groups through which our own metrics go and that get a line with each heartbeat, or each count of
   * what waits. The group of this stage needs no entry: without it no heartbeat is counted.
   */
  #watchLogs({ alarms, verifier, consumer, waitingCount, orderFeed }: HeartbeatProps): void {
    const period = Duration.minutes(thresholds.logsSilentAlarmMinutes);
    const lines = ({ logGroupName }: StageLogs) =>
      new Metric({
        namespace: 'AWS/Logs',
        metricName: 'IncomingLogEvents',
        dimensionsMap: { LogGroupName: logGroupName },
        statistic: Stats.SUM,
        period,
      });
    const usingMetrics = {
      verifier: lines(verifier.function.logs),
      access: lines(verifier.endpoint.accessLogs),
      consumer: lines(consumer.function.logs),
      waitingCount: lines(waitingCount.function.logs),
      orderFeed: lines(orderFeed.function.logs),
    };
    const terms = Object.keys(usingMetrics).map((group) => `FILL(${group}, 0)`);
    alarms.add('LogsSilent', {
      meaning:
        `A log group has received nothing for ${thresholds.logsSilentAlarmMinutes} minutes: alarms over ` +
        'the metrics in its lines cannot fire.',
      metric: new MathExpression({ expression: `MIN([${terms.join(', ')}])`, usingMetrics, period }),
      firesBelow: true,
    });
  }
}
