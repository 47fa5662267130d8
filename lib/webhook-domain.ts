import { ApiMapping, DomainName, type MTLSConfig, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { certificateExpiryAlarmDays } from '../lambdas/contract/limits.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { HttpEndpoint } from './http-endpoint.ts';

/** A name of the merchant's own for an API. */
export interface CustomDomain {
  /** As `hooks.example.com`. */
  readonly name: string;
  /** Of ACM, in the region of the stack. */
  readonly certificateArn: string;
  /** Who signs the certificates of callers; without it any caller may connect. */
  readonly truststore: Truststore | undefined;
}

interface Truststore {
  /** As `s3://bucket/key`. */
  readonly uri: string;
  readonly version: string;
}

/** The domain that a configuration asks for. */
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

/** A name of the merchant's own for the webhook API, with mutual TLS where a trust store is given. */
export class WebhookDomain extends Construct {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** What the name has to point to in the DNS. */
  readonly target: string;
  /** Of the target, for an alias record in Route 53. */
  readonly targetHostedZoneId: string;

  constructor(scope: Construct, id: string, { domain, endpoint, alarms }: WebhookDomainProps) {
    super(scope, id);
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate,
      // TLS 1.2 and 1.3. API Gateway maps no HTTP API to a name with one of its stricter policies, and has
      // no mutual TLS with them.
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
    // ACM tells the days twice a day, and no more once it has expired.
    alarms.add('WebhookCertificateExpiring', {
      meaning: `The webhook domain's certificate expires within ${certificateExpiryAlarmDays} days, or has.`,
      metric: certificate.metricDaysToExpiry(),
      threshold: certificateExpiryAlarmDays,
      ringsBelow: true,
    });
  }
}
