import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import { deploymentAddressOf, deploymentNameOf } from './deployment-name.ts';
import { filled } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import type { StackSecret } from './stack-secret.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Tables } from './tables.ts';

export interface WebhookAuditProps extends StageProps {
  readonly paymentServiceBaseUrl: string;
  /** The URL that must be registered. */
  readonly webhookUrl: string;
  readonly keySecret: StackSecret;
  /** Set when calls use an OAuth token; then the private keys are not read. */
  readonly tokenSecret: StackSecret | undefined;
  /** Where a delivered event must be. */
  readonly tables: Tables;
}

/** Checks on a schedule that our URL is registered, and that what was delivered to it is stored. */
export class WebhookAudit extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: WebhookAuditProps) {
    super(scope, id);
    const { configuration, encryption, keySecret, tokenSecret } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'webhook-audit',
      description: 'Checks that the webhook is registered, and that what was delivered is stored.',
      timeoutSeconds: limits.webhookAuditTimeoutSeconds,
      environment: {
        [variables.paymentServiceBaseUrl]: props.paymentServiceBaseUrl,
        [variables.webhookUrl]: props.webhookUrl,
        [variables.requiredEvents]: configuration.requiredEvents.join(','),
        [variables.stackName]: deploymentAddressOf(this),
        [variables.eventsTableName]: props.tables.events.tableName,
        [variables.ordersTableName]: props.tables.orders.tableName,
        ...(tokenSecret === undefined
          ? { [variables.keySecretArn]: keySecret.secretArn }
          : { [variables.tokenSecretArn]: tokenSecret.secretArn }),
      },
      configuration,
      encryption,
    });
    this.#grant(props);
    addSchedule(this, {
      target: this.function,
      intervalMinutes: limits.webhookAuditIntervalMinutes,
      description: `Audits the webhook of ${deploymentNameOf(this)}.`,
    });
    this.#watch(props.alarms);
  }

  #grant({ encryption, keySecret, tokenSecret, tables }: WebhookAuditProps): void {
    tables.grantLookUp(this.function);
    if (tokenSecret === undefined) {
      keySecret.grantGetValue(this.function);
      return;
    }
    // A refused token is renewed by its rotation, never here.
    Grant.addToPrincipal({
      grantee: this.function,
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:RotateSecret'],
      resourceArns: [tokenSecret.secretArn],
    });
    encryption.grantDecrypt(this.function, 'secretsmanager');
  }

  #watch(alarms: Alarms): void {
    const period = Duration.hours(1);
    const findings = (statistic: string) =>
      this.function.metric(metricNames.webhookAuditFindings, period).with({ statistic });
    alarms.add('WebhookAuditFindings', {
      meaning:
        'Webhooks do not arrive (our URL is not registered for every event or not reachable, or events ' +
        'were given up), or what was delivered and what is stored differ.',
      metric: findings(Stats.MAXIMUM),
    });
    alarms.add('WebhookAuditIncomplete', {
      meaning:
        'For an hour no webhook audit did all its work: it did not run, the payment service refuses our ' +
        'credential, or its responses are unusable.',
      metric: filled(findings(Stats.MINIMUM), 1),
      firesWithoutData: true,
    });
  }
}
