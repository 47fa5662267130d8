import { Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { alarmsOfEventsAtRisk } from '../lambdas/contract/alarm-guide.ts';
import { Alarms } from './alarms.ts';
import { bootstrapOf } from './bootstrap.ts';
import type { Configuration } from './configuration.ts';
import { Consumer } from './consumer.ts';
import { Dashboard } from './dashboard.ts';
import { Encryption } from './encryption.ts';
import { EventQueue } from './event-queue.ts';
import { Heartbeat } from './heartbeat.ts';
import { Operations } from './operations.ts';
import { addOperatorOutputs } from './operator-outputs.ts';
import { OrderFeed } from './order-feed.ts';
import { OrderQuery } from './order-query.ts';
import { guardTables } from './table-guard.ts';
import { Tables } from './tables.ts';
import { TokenRefresh } from './token-refresh.ts';
import { Verifier } from './verifier.ts';
import { WaitingCount } from './waiting-count.ts';
import { WebhookAudit } from './webhook-audit.ts';

export interface PayhooksStackProps {
  readonly configuration: Configuration;
}

/** One deployment: payment service → verifier → queue → consumer → tables → order query and feed. */
export class PayhooksStack extends Stack {
  constructor(scope: Construct, id: string, { configuration }: PayhooksStackProps) {
    const { environmentName } = configuration;
    const tags = { application: 'payhooks', environment: environmentName };
    super(scope, id, {
      ...bootstrapOf(configuration.bootstrapQualifier),
      description: `payhooks (${environmentName}): receives, records and folds payment webhooks.`,
      tags,
      terminationProtection: configuration.keepData,
    });
    // On every resource too: `cdk deploy --tags` replaces the tags of the stack.
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);

    const encryption = new Encryption(this, 'Encryption', configuration);
    const alarms = new Alarms(this, 'Alarms', configuration);

    const eventQueue = new EventQueue(this, 'EventQueue', { configuration, encryption, alarms });
    const verifier = new Verifier(this, 'Verifier', { configuration, encryption, alarms, eventQueue });

    const tables = new Tables(this, 'Tables', { configuration, encryption });
    const consumer = new Consumer(this, 'Consumer', {
      configuration,
      encryption,
      alarms,
      eventQueue,
      tables,
    });

    const waitingCount = new WaitingCount(this, 'WaitingCount', {
      configuration,
      encryption,
      alarms,
      tables,
    });

    const orderQuery = new OrderQuery(this, 'OrderQuery', { configuration, encryption, alarms, tables });

    const operations = new Operations(this, 'Operations', { configuration, encryption, alarms, tables });

    const writers = [consumer.function, operations.function];
    guardTables(tables, { configuration, writers, eraser: operations.function });

    const orderFeed = new OrderFeed(this, 'OrderFeed', { configuration, encryption, alarms, tables });

    const chain = { verifier, consumer, waitingCount, orderFeed };
    const heartbeat = configuration.heartbeat
      ? new Heartbeat(this, 'Heartbeat', { configuration, encryption, alarms, ...chain })
      : undefined;

    const { paymentServiceBaseUrl, paymentServiceAuthentication } = configuration;
    const tokenRefresh =
      paymentServiceBaseUrl === undefined || paymentServiceAuthentication !== 'oauth'
        ? undefined
        : new TokenRefresh(this, 'TokenRefresh', {
            configuration,
            encryption,
            alarms,
            paymentServiceBaseUrl,
          });
    const webhookAudit =
      paymentServiceBaseUrl === undefined
        ? undefined
        : new WebhookAudit(this, 'WebhookAudit', {
            configuration,
            encryption,
            alarms,
            paymentServiceBaseUrl,
            webhookUrl: verifier.webhookUrl,
            keySecret: verifier.keySecret,
            tokenSecret: tokenRefresh?.tokenSecret,
            eventQueue,
            tables,
          });
    if (webhookAudit !== undefined) tokenRefresh?.grantInvoke(webhookAudit.function);

    if (configuration.eventsAtRiskAlarm) {
      alarms.addComposite('EventsAtRisk', {
        meaning: 'Acknowledged events could be lost, or are not recorded.',
        members: alarmsOfEventsAtRisk,
      });
    }
    const dashboard = !configuration.dashboard
      ? undefined
      : new Dashboard(this, 'Dashboard', {
          configuration,
          alarms,
          verifier,
          eventQueue,
          consumer,
          waitingCount,
          orderFeed,
          heartbeat,
        });

    addOperatorOutputs(this, {
      configuration,
      encryption,
      alarms,
      eventQueue,
      verifier,
      consumer,
      waitingCount,
      tables,
      orderQuery,
      operations,
      orderFeed,
      heartbeat,
      webhookAudit,
      tokenRefresh,
      dashboard,
    });
    heartbeat?.startAfter(...this.node.children.filter((part) => part !== heartbeat));
  }
}
