import { Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { levelGauges, metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { Consumer } from './consumer.ts';
import type { EventQueue } from './event-queue.ts';
import type { Heartbeat } from './heartbeat.ts';
import { metricsNamespaceOf } from './node-function.ts';
import type { OrderFeed } from './order-feed.ts';
import type { Verifier } from './verifier.ts';
import type { WaitingCount } from './waiting-count.ts';

export interface DashboardProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly verifier: Verifier;
  readonly eventQueue: EventQueue;
  readonly consumer: Consumer;
  readonly waitingCount: WaitingCount;
  readonly orderFeed: OrderFeed;
  readonly heartbeat: Heartbeat;
}

/** CloudWatch divides a row into 24 columns. */
const rowWidth = 24;
const height = 5;
const statistic = Stats.MAXIMUM;

/**
 * One screen, in the order of the flow. It has no metric of its own: most are AWS's and free, the others are
 * those of alarms. It reads no log, because events that went well leave no line there.
 */
export class Dashboard extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { region, stackName } = Stack.of(this);
    // The names of dashboards are those of an account, not of a region.
    const dashboardName = `${stackName}-${region}`;
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', { dashboardName });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: props.alarms.all, width: rowWidth, height: 4 }),
    );
    dashboard.addWidgets(arriving(props), refused(props), queue(props));
    dashboard.addWidgets(recorded(props), latency(props), waiting(props));
    dashboard.addWidgets(feed(props), failures(props));
    const page = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}`;
    this.url = `${page}#dashboards/dashboard/${dashboard.dashboardName}`;
  }
}

const graph = (title: string, left: IMetric[], more: GraphWidgetProps = {}): GraphWidget =>
  new GraphWidget({ title, left, width: rowWidth / 3, height, ...more });

function arriving({ verifier: { endpoint }, eventQueue: { queue } }: DashboardProps): GraphWidget {
  return graph('Arriving', [
    endpoint.api.metricCount({ label: 'requests', statistic: Stats.SUM }),
    queue.metricNumberOfMessagesSent({ label: 'accepted, with heartbeats' }),
    endpoint.api.metricServerError({ label: '5xx', statistic: Stats.SUM }),
  ]);
}

/** By the reason; 503 for our own faults last. */
function refused({ verifier, configuration }: DashboardProps): GraphWidget {
  const counted = [
    metricNames.signatureUnreadable,
    metricNames.signatureMismatch,
    metricNames.signatureKeyExpired,
    metricNames.bodyTooLarge,
    metricNames.keysUnavailable,
    metricNames.queueUnavailable,
  ].map((name) => verifier.function.metric(name));
  const throttled = new Metric({
    namespace: metricsNamespaceOf(configuration),
    metricName: 'WebhooksThrottled',
    statistic: Stats.SUM,
  });
  return graph('Refused, by reason', [...counted, throttled], { stacked: true });
}

function queue({ eventQueue, consumer }: DashboardProps): GraphWidget {
  const oldest = eventQueue.queue.metricApproximateAgeOfOldestMessage({ statistic, label: 'oldest' });
  const retried = consumer.function.highest(metricNames.retriedRecordAge);
  return graph('Queue: age and depth', [oldest, retried], {
    leftYAxis: { label: 'seconds', showUnits: false },
    right: [
      eventQueue.queue.metricApproximateNumberOfMessagesVisible({ statistic, label: 'messages' }),
      eventQueue.queue.metricApproximateNumberOfMessagesNotVisible({ statistic, label: 'in progress' }),
    ],
    rightYAxis: { label: 'messages', showUnits: false },
  });
}

/** SQS deletes a message once its event is recorded. */
function recorded({ eventQueue, consumer }: DashboardProps): GraphWidget {
  return graph('Recorded', [
    eventQueue.queue.metricNumberOfMessagesDeleted({ label: 'recorded, with heartbeats' }),
    consumer.function.metric(metricNames.recordsRetried),
  ]);
}

/** Only a heartbeat shows the whole way: an event takes it as fast. */
function latency({ verifier, consumer, heartbeat }: DashboardProps): GraphWidget {
  const p99 = { statistic: Stats.percentile(99) };
  const parts = [
    verifier.endpoint.api.metricLatency({ ...p99, label: 'response to a webhook, p99' }),
    consumer.function.lambda.metricDuration({ ...p99, label: 'record a batch, p99' }),
  ];
  return graph('Latency', parts, {
    leftYAxis: { label: 'ms', showUnits: false },
    right: [heartbeat.function.highest(metricNames.heartbeatReturned)],
    rightYAxis: { label: 'seconds', showUnits: false },
  });
}

function waiting({ waitingCount }: DashboardProps): GraphWidget {
  const levels = Object.values(levelGauges).map((name) => waitingCount.function.highest(name));
  return graph('Waiting for a person', levels);
}

function feed({ orderFeed }: DashboardProps): GraphWidget {
  const behind = orderFeed.function.lambda.metric('IteratorAge', {
    statistic,
    label: 'age of a change (ms)',
  });
  return graph('Order feed: lag', [behind], {
    right: [orderFeed.function.highest(metricNames.changeLag)],
    rightYAxis: { label: 'seconds', showUnits: false },
    width: rowWidth / 2,
  });
}

function failures({ eventQueue, orderFeed }: DashboardProps): GraphWidget {
  const depth = { statistic };
  return graph(
    'Dead letters and changes that were not published',
    [
      eventQueue.deadLetters.metricApproximateNumberOfMessagesVisible({ ...depth, label: 'dead letters' }),
      orderFeed.failures.metricApproximateNumberOfMessagesVisible({ ...depth, label: 'unpublished changes' }),
    ],
    { width: rowWidth / 2 },
  );
}
