import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { NodeFunction } from './node-function.ts';

export interface WebhookAuditProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly paymentServiceBaseUrl: string;
  /** What must be registered. */
  readonly webhookUrl: string;
  readonly keySecret: Secret;
  /** Where the payment service is asked with an OAuth token; then the private keys are not read. */
  readonly tokenSecret: Secret | undefined;
}

/** Looks on a schedule whether our URL is registered with the payment service as it must be. */
export class WebhookAudit extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: WebhookAuditProps) {
    super(scope, id);
    const { configuration, keySecret, tokenSecret } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'webhook-audit',
      description: 'Checks that the webhook is registered with the payment service.',
      timeoutSeconds: limits.webhookAuditTimeoutSeconds,
      memoryMegabytes: limits.webhookAuditMemoryMegabytes,
      environment: {
        [variables.paymentServiceBaseUrl]: props.paymentServiceBaseUrl,
        [variables.webhookUrl]: props.webhookUrl,
        [variables.requiredEvents]: configuration.requiredEvents.join(','),
        [variables.stackName]: Stack.of(this).stackName,
        ...(tokenSecret === undefined
          ? { [variables.keySecretArn]: keySecret.secretArn }
          : { [variables.tokenSecretArn]: tokenSecret.secretArn }),
      },
      configuration,
    });
    this.#permit(props);
    this.#schedule();
    this.#watchRegistration(props.alarms);
    this.#watchAudits(props.alarms);
  }

  #permit({ keySecret, tokenSecret }: WebhookAuditProps): void {
    if (tokenSecret === undefined) {
      this.function.allow(['secretsmanager:GetSecretValue'], keySecret.secretArn);
      return;
    }
    // A token that is answered 401 is renewed by its rotation, never here.
    this.function.allow(
      ['secretsmanager:GetSecretValue', 'secretsmanager:RotateSecret'],
      tokenSecret.secretArn,
    );
  }

  #schedule(): void {
    const { lambda } = this.function;
    const role = new Role(this, 'ScheduleRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }),
    );
    // The schedule starts with its creation, so that a deployment is audited at once. It waits for the
    // permission, which the first audit needs.
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: `Audits the webhook of ${Stack.of(this).stackName}.`,
      scheduleExpression: `rate(${limits.webhookAuditIntervalMinutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        retryPolicy: {
          maximumEventAgeInSeconds: limits.webhookAuditIntervalMinutes * 60,
          maximumRetryAttempts: limits.webhookAuditStartRetriesMax,
        },
      },
    });
    schedule.node.addDependency(role);
    // The next audit comes soon: another attempt of this one would only ring for the same fault.
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(limits.webhookAuditIntervalMinutes),
    });
  }

  #watchRegistration(alarms: Alarms): void {
    // An alarm rings on until a whole hour of audits has found nothing.
    const period = Duration.hours(1);
    alarms.add('WebhookNotRegistered', {
      meaning: 'Our URL is not registered with the payment service: no event arrives.',
      metric: this.function.counted(metricNames.webhookNotRegistered, period),
    });
    alarms.add('WebhookNotLive', {
      meaning: 'Our URL is registered in sandbox mode only: no live event arrives.',
      metric: this.function.counted(metricNames.webhookNotLive, period),
    });
    alarms.add('WebhookEventMissing', {
      meaning: 'Our URL is registered, but not for every event that is required.',
      metric: this.function.counted(metricNames.webhookEventMissing, period),
    });
    alarms.add('WebhookRegisteredTwice', {
      meaning: 'Our URL is registered several times, so that each event is delivered as often.',
      metric: this.function.counted(metricNames.webhookRegisteredTwice, period),
    });
  }

  #watchAudits(alarms: Alarms): void {
    const period = Duration.hours(1);
    const { lambda } = this.function;
    alarms.add('AuditCredentialRefused', {
      meaning: 'The payment service refuses our credential, or there is none: nobody checks the webhook.',
      metric: this.function.counted(metricNames.auditCredentialRefused, period),
    });
    const minutes = limits.unreachableAuditsAlarm * limits.webhookAuditIntervalMinutes;
    alarms.add('AuditServiceUnreachable', {
      meaning: `For ${minutes} minutes no audit got a usable answer from the payment service.`,
      metric: this.function.counted(metricNames.auditServiceUnreachable, Duration.minutes(minutes)),
      threshold: limits.unreachableAuditsAlarm,
    });
    alarms.add('WebhookAuditErrors', {
      meaning: 'The webhook audit crashed, timed out or could not start.',
      metric: lambda.metricErrors({ period }),
    });
    alarms.add('WebhookAuditSilent', {
      meaning: 'No webhook audit has been started for an hour: nobody would notice a lost registration.',
      metric: lambda.metricInvocations({ period }),
      ringsBelow: true,
    });
  }
}
