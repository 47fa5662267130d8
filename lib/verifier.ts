import { Duration } from 'aws-cdk-lib';
import { HttpMethod, HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import { verifierTimeoutSeconds } from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import { deploymentNameOf } from './deployment-name.ts';
import type { EventQueue } from './event-queue.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { filled } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import type { Seal } from './seal.ts';
import { StackSecret } from './stack-secret.ts';
import { WebhookDomain } from './webhook-domain.ts';

const webhookPath = '/webhooks/payments';

export interface VerifierProps extends StageProps {
  readonly seal: Seal;
  readonly eventQueue: EventQueue;
}

/**
 * The public endpoint: receives a webhook, verifies its signature with the private keys and queues its bytes.
 */
export class Verifier extends Construct {
  /** The URL to register with the payment service. */
  readonly webhookUrl: string;
  readonly keySecret: StackSecret;
  readonly function: NodeFunction;
  readonly endpoint: HttpEndpoint;
  /** The custom domain of the endpoint, when one is configured. */
  readonly domain: WebhookDomain | undefined;

  constructor(scope: Construct, id: string, props: VerifierProps) {
    super(scope, id);
    const { configuration, encryption, eventQueue } = props;
    // Until it holds a key, webhooks get 503 and the payment service delivers them again later. A generated
    // value would match no signature, so genuine webhooks would be refused with 403.
    this.keySecret = new StackSecret(this, 'KeySecret', {
      description: 'The private keys of one payment account: one key, or {"private_keys":[{"key":"..."}]}.',
      isKept: configuration.keepData,
      adoptedArn: configuration.keySecretArn,
      encryption,
    });

    this.function = new NodeFunction(this, 'Function', {
      stage: 'verifier',
      description: 'Verifies the signature of a webhook and queues its bytes.',
      timeoutSeconds: verifierTimeoutSeconds,
      environment: {
        [variables.signatureHeader]: configuration.signatureHeader,
        [variables.keySecretArn]: this.keySecret.secretArn,
        [variables.eventQueueUrl]: eventQueue.queue.queueUrl,
        ...(configuration.expectWebhooksWithin !== undefined && { [variables.countAccepted]: 'true' }),
      },
      configuration,
      encryption,
      reservedConcurrency: configuration.verifierReservedConcurrency,
      provisionedConcurrency: configuration.verifierProvisionedConcurrency,
      isRolledOut: configuration.rollout !== undefined,
    });
    this.keySecret.grantGetValue(this.function);
    props.seal.share(this.function);
    eventQueue.grantSend(this.function);

    this.endpoint = new HttpEndpoint(this, 'Endpoint', {
      name: `${deploymentNameOf(this)} webhook`,
      handler: this.function,
      routes: [{ id: 'Webhook', method: HttpMethod.POST, path: webhookPath }],
      // The signature is the authorisation, and only the function can verify it.
      authorizer: new HttpNoneAuthorizer(),
      requestsPerSecond: configuration.webhookRequestsPerSecond,
      burst: 2 * configuration.webhookRequestsPerSecond,
      // That address requires no client certificate. Always set: a property that a template omits keeps its
      // last value, and a stack whose domain was removed would have no address left.
      defaultEndpoint: configuration.webhookTruststoreUri === undefined,
      configuration,
      encryption,
    });
    const { webhookDomainName: name, webhookCertificateArn: certificateArn } = configuration;
    if (name !== undefined && certificateArn !== undefined) {
      const named = { name, certificateArn, endpoint: this.endpoint };
      this.domain = new WebhookDomain(this, 'Domain', { ...props, ...named });
    }
    const { baseUrl } = this.domain ?? this.endpoint;
    this.webhookUrl = configuration.webhookUrl ?? `${baseUrl}${webhookPath}`;

    this.#watchDelivery(props.alarms);
    this.#watchTraffic(props);
    this.#watchRefusals(props);
    const { expectWebhooksWithin: hours } = configuration;
    if (hours !== undefined) this.#watchSilence(props.alarms, hours);
  }

  /** Lets requests with the header of heartbeats be signed with this key. */
  acceptHeartbeats(key: StackSecret): void {
    this.function.lambda.addEnvironment(variables.heartbeatKeySecretArn, key.secretArn);
    key.grantGetValue(this.function);
  }

  #watchDelivery(alarms: Alarms): void {
    // Whatever the cause is: no usable private key, no queue, a crash, a timeout, no concurrency. A secret
    // that cannot be read shows at the next heartbeat, which gets 503.
    alarms.add('WebhookServerErrors', {
      meaning:
        'Webhooks got a 5xx response and were not stored; the payment service must deliver them again. Or ' +
        'a heartbeat did, because the keys cannot be read.',
      metric: this.endpoint.serverErrors(),
    });
  }

  #watchTraffic({ alarms, configuration: { webhooksPerHourMax } }: VerifierProps): void {
    alarms.add('WebhooksSlow', {
      meaning:
        'For 15 minutes, at least one webhook in a hundred took ' +
        `${thresholds.webhookLatencyAlarmMilliseconds / 1_000} seconds or longer.`,
      metric: filled(this.endpoint.api.metricLatency({ statistic: Stats.p(99) })),
      threshold: thresholds.webhookLatencyAlarmMilliseconds,
      periods: 3,
    });
    alarms.add('WebhooksFlooding', {
      meaning: `More than ${webhooksPerHourMax} requests (webhooksPerHourMax) came within an hour.`,
      metric: this.endpoint.api.metricCount({ period: Duration.hours(1), statistic: Stats.SUM }),
      threshold: webhooksPerHourMax + 1,
    });
  }

  #watchRefusals({ alarms, eventQueue }: VerifierProps): void {
    const period = Duration.hours(1);
    alarms.add('WebhooksRefused', {
      meaning:
        'One webhook in twenty or more was refused: a key is missing here or has expired, bodies are too ' +
        'large, signatures unreadable or forged, or API Gateway throttles.',
      metric: new MathExpression({
        expression: `FILL(refused, 0) - ${1 / thresholds.acceptedPerRefusal} * FILL(accepted, 0)`,
        usingMetrics: {
          refused: this.endpoint.refused(metricNames.webhooksRefused, period),
          accepted: eventQueue.queue.metricNumberOfMessagesSent({ period, statistic: Stats.SUM }),
        },
        period,
      }),
      threshold: thresholds.refusalsAlarm,
    });
  }

  #watchSilence(alarms: Alarms, hours: number): void {
    // One period of many hours could have a day at most. Periods of an hour may add up to seven days.
    const period = Duration.hours(1);
    alarms.add('WebhooksSilent', {
      meaning: `No webhook, live or sandbox, was accepted for ${hours} h.`,
      // Not the messages of the queue, which heartbeats are among.
      metric: filled(this.function.metric(metricNames.webhooksAccepted, period)),
      periods: hours,
      firesBelow: true,
    });
  }
}
