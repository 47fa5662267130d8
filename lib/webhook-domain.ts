import { ApiMapping, DomainName, type MTLSConfig, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { certificateExpiryAlarmDays } from '../lambdas/contract/alarm-thresholds.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { HttpEndpoint } from './http-endpoint.ts';
import { filled } from './metric-math.ts';

export interface WebhookDomainProps {
  /** Such as `hooks.example.com`. */
  readonly name: string;
  /** An ACM certificate in the region of the stack. */
  readonly certificateArn: string;
  /** Has the trust store, if there is one; without it any caller may connect. */
  readonly configuration: Configuration;
  readonly endpoint: HttpEndpoint;
  readonly alarms: Alarms;
}

/** A custom domain for the webhook API, with mutual TLS when there is a trust store. */
export class WebhookDomain extends Construct {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The DNS target of the name. */
  readonly target: string;
  /** The hosted zone of the target, for an alias record in Route 53. */
  readonly targetHostedZoneId: string;

  constructor(scope: Construct, id: string, props: WebhookDomainProps) {
    super(scope, id);
    const { name, certificateArn, endpoint } = props;
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate,
      // TLS 1.2 and 1.3. API Gateway's stricter policies support neither HTTP APIs nor mutual TLS.
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...this.#mutualTls(props.configuration),
    });
    new ApiMapping(this, 'Mapping', { api: endpoint.api, domainName, stage: endpoint.stage });
    this.baseUrl = `https://${name}`;
    this.target = domainName.regionalDomainName;
    this.targetHostedZoneId = domainName.regionalHostedZoneId;
    this.#watchCertificate(certificate, props.alarms);
  }

  #mutualTls({ webhookTruststoreUri: uri, webhookTruststoreVersion: version }: Configuration) {
    if (uri === undefined || version === undefined) return {};
    const [name = '', ...key] = uri.replace('s3://', '').split('/');
    const bucket = Bucket.fromBucketName(this, 'Truststore', name);
    return { mtls: { bucket, key: key.join('/'), version } satisfies MTLSConfig };
  }

  #watchCertificate(certificate: ICertificate, alarms: Alarms): void {
    // ACM publishes the metric twice a day, and stops once the certificate has expired.
    alarms.add('WebhookCertificateExpiring', {
      meaning: `The domain's certificate expires within ${certificateExpiryAlarmDays} days or has expired.`,
      metric: filled(certificate.metricDaysToExpiry()),
      threshold: certificateExpiryAlarmDays,
      firesBelow: true,
    });
  }
}
