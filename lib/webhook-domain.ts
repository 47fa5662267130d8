import { ApiMapping, DomainName, type MTLSConfig, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { certificateExpiryAlarmDays } from '../lambdas/contract/alarm-thresholds.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { HttpEndpoint } from './http-endpoint.ts';
import { filled } from './metric-math.ts';

/** A custom domain of an API. */
export interface CustomDomain {
  /** Such as `hooks.example.com`. */
  readonly name: string;
  /** An ACM certificate in the region of the stack. */
  readonly certificateArn: string;
  /** The authorities that sign the certificates of callers; without it any caller may connect. */
  readonly truststore: Truststore | undefined;
}

interface Truststore {
  /** Such as `s3://bucket/key`. */
  readonly uri: string;
  readonly version: string;
}

/** The custom domain in a configuration. */
export function webhookDomainOf(configuration: Configuration): CustomDomain | undefined {
  const { webhookDomainName: name, webhookCertificateArn: certificateArn } = configuration;
  const { webhookTruststoreUri: uri, webhookTruststoreVersion: version } = configuration;
  if (name === undefined || certificateArn === undefined) return undefined;
  const truststore = uri === undefined || version === undefined ? undefined : { uri, version };
  return { name, certificateArn, truststore };
}

export interface WebhookDomainProps {
  readonly domain: CustomDomain;
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

  constructor(scope: Construct, id: string, { domain, endpoint, alarms }: WebhookDomainProps) {
    super(scope, id);
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate,
      // TLS 1.2 and 1.3. API Gateway's stricter policies support neither HTTP APIs nor mutual TLS.
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(domain.truststore !== undefined && { mtls: this.#mutualTls(domain.truststore) }),
    });
    new ApiMapping(this, 'Mapping', { api: endpoint.api, domainName, stage: endpoint.stage });
    this.baseUrl = `https://${domain.name}`;
    this.target = domainName.regionalDomainName;
    this.targetHostedZoneId = domainName.regionalHostedZoneId;
    this.#watchCertificate(certificate, alarms);
  }

  #mutualTls({ uri, version }: Truststore): MTLSConfig {
    const [bucket = '', ...key] = uri.replace('s3://', '').split('/');
    return { bucket: Bucket.fromBucketName(this, 'Truststore', bucket), key: key.join('/'), version };
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
