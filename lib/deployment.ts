import { Annotations, CfnResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { deploymentMetadata } from '../lambdas/contract/deployment-metadata.ts';
import { acceptFindings } from './accepted-findings.ts';
import { Alarms } from './alarms.ts';
import { Backups } from './backups.ts';
import type { Configuration } from './configuration.ts';
import { Consumer } from './consumer.ts';
import { nameDeployment } from './deployment-name.ts';
import { Encryption } from './encryption.ts';
import { EventQueue } from './event-queue.ts';
import { guardEvidence } from './evidence-guard.ts';
import { watchForgeries } from './forgeries.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeartbeatReturn } from './heartbeat-return.ts';
import { settingsOf } from './local-settings.ts';
import { describeRoutes } from './network.ts';
import { Operations } from './operations.ts';
import { addOperatorOutputs, type OperatorOutputsParts } from './operator-outputs.ts';
import { OrderFeed } from './order-feed.ts';
import { OrderQuery } from './order-query.ts';
import { Rollout } from './rollout.ts';
import { watchRotations } from './rotations.ts';
import { Seal } from './seal.ts';
import { SelfCheck } from './self-check.ts';
import { guardTables } from './table-guard.ts';
import { Tables } from './tables.ts';
import { TokenRefresh } from './token-refresh.ts';
import { Verifier } from './verifier.ts';
import { WaitingCount } from './waiting-count.ts';
import { WebhookAudit } from './webhook-audit.ts';

export interface DeploymentProps {
  /** Called once the deployment has its name. */
  readonly configure: (deployment: Construct) => Configuration;
  /** By default the name of the stack, if the deployment is the whole stack, or else made from its path. */
  readonly deploymentName?: string | undefined;
}

/** One deployment: payment service → verifier → queue → consumer → tables → order query and feed. */
export class Deployment extends Construct {
  /** What physical names, the namespace of the metrics and the parameters begin with. */
  readonly deploymentName: string;
  protected readonly parts: OperatorOutputsParts;

  constructor(scope: Construct, id: string, { configure, deploymentName }: DeploymentProps) {
    super(scope, id);
    this.deploymentName = nameDeployment(this, deploymentName);
    const configuration = settingsOf(this, configure(this));
    describeRoutes(this, configuration);
    warnAboutSilence(this, configuration);
    warnAboutUnreadAlarms(this, configuration);
    const encryption = new Encryption(this, 'Encryption', configuration);
    const alarms = new Alarms(this, 'Alarms', configuration);
    const common = { configuration, encryption, alarms };

    const eventQueue = new EventQueue(this, 'EventQueue', common);
    const seal = new Seal(this, 'Seal', common);
    const verifier = new Verifier(this, 'Verifier', { ...common, eventQueue, seal });

    const tables = new Tables(this, 'Tables', { configuration, encryption });
    const consumer = new Consumer(this, 'Consumer', { ...common, eventQueue, seal, tables });
    const waitingCount = new WaitingCount(this, 'WaitingCount', { ...common, tables });
    const orderQuery = new OrderQuery(this, 'OrderQuery', { ...common, tables });
    const heartbeat = new Heartbeat(this, 'Heartbeat', { ...common, verifier });
    const operations = new Operations(this, 'Operations', { ...common, tables, proof: heartbeat.keySecret });
    const { backupRetentionDays: retentionDays } = configuration;
    if (retentionDays !== undefined)
      new Backups(this, 'Backups', { retentionDays, encryption, alarms, tables });

    const orderFeed = new OrderFeed(this, 'OrderFeed', { ...common, tables });
    const writers = [consumer.function, operations.function];
    const changers = { writers, eraser: operations.function, marker: orderFeed.function };
    guardTables(tables, { configuration, ...changers });

    watchForgeries(alarms);

    const heartbeatReturn = new HeartbeatReturn(this, 'HeartbeatReturn', {
      ...common,
      orderFeed,
      orderQuery,
    });

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
            tables,
          });
    if (webhookAudit !== undefined) tokenRefresh?.grantInvoke(webhookAudit.function);
    watchRotations(
      alarms,
      tokenRefresh === undefined ? [seal.function] : [seal.function, tokenRefresh.function],
    );

    const { rollout } = configuration;
    if (rollout !== undefined) new Rollout(this, 'Rollout', { rollout, verifier, consumer, alarms });

    const selfCheck = new SelfCheck(this, 'SelfCheck', { ...common, tables, orderFeed });

    // After every role.
    guardEvidence(this, operations.function.logs);

    const chain = { verifier, consumer, waitingCount, orderFeed, orderQuery, heartbeat, heartbeatReturn };
    const others = { eventQueue, tables, operations, webhookAudit, tokenRefresh, selfCheck };
    this.parts = { ...common, ...chain, ...others };
    addOperatorOutputs(this, this.parts);
    heartbeat.startAfter(...this.node.children.filter((part) => part !== heartbeat));
    acceptFindings(this);
    // Last: what an app adds comes later, such as a rule for the bus.
    const resources = this.node.findAll().filter((part) => CfnResource.isCfnResource(part));
    for (const resource of resources) resource.addMetadata(deploymentMetadata, this.deploymentName);
  }
}

/** A heartbeat comes from inside: it arrives where the payment service may be refused. */
function warnAboutSilence(scope: Construct, settings: Configuration): void {
  const { paymentServiceBaseUrl, expectWebhooksWithin } = settings;
  if (paymentServiceBaseUrl !== undefined || expectWebhooksWithin !== undefined) return;
  Annotations.of(scope).addWarningV2(
    'payhooks:SilenceUnnoticed',
    'No alarm will notice that webhooks do not arrive, such as when DNS, mutual TLS or a firewall ' +
      'refuses the payment service. Set paymentServiceBaseUrl, which audits deliveries, or ' +
      'expectWebhooksWithin, such as 2d (docs/settings.md).',
  );
}

function warnAboutUnreadAlarms(scope: Construct, { alarmEmail, alarmTopicArn }: Configuration): void {
  if (alarmEmail !== undefined || alarmTopicArn !== undefined) return;
  Annotations.of(scope).addWarningV2(
    'payhooks:AlarmsUnread',
    'No alarm will reach anyone: set alarmEmail or alarmTopicArn (docs/settings.md).',
  );
}
