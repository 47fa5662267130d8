import { Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { Backups } from './backups.ts';
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
    const common = { configuration, encryption, alarms };

    const eventQueue = new EventQueue(this, 'EventQueue', common);
    const verifier = new Verifier(this, 'Verifier', { ...common, eventQueue });

    const tables = new Tables(this, 'Tables', { configuration, encryption });
    const consumer = new Consumer(this, 'Consumer', { ...common, eventQueue, tables });
    const waitingCount = new WaitingCount(this, 'WaitingCount', { ...common, tables });
    const orderQuery = new OrderQuery(this, 'OrderQuery', { ...common, tables });
    const operations = new Operations(this, 'Operations', { ...common, tables });
    const writers = [consumer.function, operations.function];
    guardTables(tables, { configuration, writers, eraser: operations.function });

    const { backupRetentionDays: retentionDays } = configuration;
    if (retentionDays !== undefined)
      new Backups(this, 'Backups', { retentionDays, encryption, alarms, tables });

    const orderFeed = new OrderFeed(this, 'OrderFeed', { ...common, tables });

    const chain = { verifier, consumer, waitingCount, orderFeed };
    const heartbeat = new Heartbeat(this, 'Heartbeat', { ...common, ...chain });

    const { paymentServiceBaseUrl, paymentServiceAuthentication } = configuration;
    const tokenRefresh =
      paymentServiceBaseUrl === undefined || paymentServiceAuthentication !== 'oauth'
        ? undefined
        : new TokenRefresh(this, 'TokenRefresh', { ...common, paymentServiceBaseUrl });
    const webhookAudit =
      paymentServiceBaseUrl === undefined
        ? undefined
        : new WebhookAudit(this, 'WebhookAudit', {
            ...common,
            paymentServiceBaseUrl,
            webhookUrl: verifier.webhookUrl,
            keySecret: verifier.keySecret,
            tokenSecret: tokenRefresh?.tokenSecret,
            eventQueue,
            tables,
          });
    if (webhookAudit !== undefined) tokenRefresh?.grantInvoke(webhookAudit.function);

    const parts = { ...common, ...chain, eventQueue, heartbeat };
    const dashboard = new Dashboard(this, 'Dashboard', parts);

    addOperatorOutputs(this, {
      ...parts,
      tables,
      orderQuery,
      operations,
      webhookAudit,
      tokenRefresh,
      dashboard,
    });
    heartbeat.startAfter(...this.node.children.filter((part) => part !== heartbeat));
  }
}
