import { Duration, Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { AlarmName } from '../lambdas/contract/alarm-guide.ts';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { type MetricName, metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import { noSuccess } from './metric-math.ts';
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

/** Each has an alarm of its name, which stays on until the audits of a whole hour have found nothing. */
const findings: readonly { readonly metric: MetricName & AlarmName; readonly meaning: string }[] = [
  {
    metric: metricNames.webhookNotRegistered,
    meaning:
      'Our URL is not registered with the payment service, or only in sandbox mode, or not for ' +
      'every required event: those events do not arrive.',
  },
  {
    metric: metricNames.webhookRegisteredTwice,
    meaning: 'Our URL is registered more than once for the same events, so they arrive more than once.',
  },
  {
    metric: metricNames.webhookUnreachable,
    meaning: 'Webhooks do not reach us: the payment service gets no response, or one from another server.',
  },
  {
    metric: metricNames.deliveriesMissing,
    meaning: 'The payment service has delivered events that are not stored here.',
  },
  {
    metric: metricNames.deliveriesGivenUp,
    meaning: 'The payment service gave up on events that we have not stored.',
  },
  {
    metric: metricNames.eventsUnknownToService,
    meaning:
      'Orders count events that are missing in the history of the payment service. They may be forged.',
  },
];

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
        [variables.stackName]: Stack.of(this).stackName,
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
      description: `Audits the webhook of ${Stack.of(this).stackName}.`,
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
    for (const { metric, meaning } of findings)
      alarms.add(metric, { meaning, metric: this.function.metric(metric, period) });
    alarms.add('WebhookAuditIncomplete', {
      meaning:
        'The webhook audit cannot finish: the payment service refuses our credential, or payhooks ' +
        'cannot use its responses.',
      metric: this.function.metric(metricNames.webhookAuditIncomplete, period),
      threshold: thresholds.auditIncompleteAlarm,
    });
    alarms.add('WebhookAuditSilent', {
      meaning: 'No webhook audit has succeeded for an hour: a lost registration would go unnoticed.',
      metric: noSuccess(this.function, period),
      firesWithoutData: true,
    });
  }
}
