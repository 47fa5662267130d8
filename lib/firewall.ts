import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { bootstrapOf } from './bootstrap.ts';
import { firewallRules } from './firewall-rules.ts';

export interface FirewallProps {
  /** The name to register, such as `hooks.example.com`. */
  readonly domainName: string;
  /** Its certificate, in us-east-1. */
  readonly certificateArn: string;
  /** The setting `webhookDomainName` of the deployment behind it. */
  readonly originDomainName: string;
  /** The certificate, in us-east-1, that CloudFront shows to an origin with a trust store. */
  readonly clientCertificateArn: string | undefined;
  /** The setting `signatureHeader`: its values must not be in a log. */
  readonly signatureHeader: string;
  /** What one address may send, on average over a minute. */
  readonly requestsPerSecond: number;
  /** The setting `bootstrapQualifier` of the environment. */
  readonly bootstrapQualifier: string | undefined;
}

/**
 * A web application firewall for the webhook, which HTTP APIs lack: CloudFront, with AWS WAF, in front of the
 * custom domain. A web ACL of CloudFront and its log are in us-east-1. `docs/firewall.md` has the steps.
 */
export class Firewall extends Stack {
  constructor(scope: Construct, id: string, props: FirewallProps) {
    super(scope, id, {
      ...bootstrapOf(props.bootstrapQualifier),
      description: `payhooks: CloudFront and WAF in front of ${props.originDomainName}.`,
      env: { region: 'us-east-1' },
    });
    const webAcl = this.#createWebAcl(props);
    const distribution = this.#createDistribution(props, webAcl.attrArn);
    new CfnOutput(this, 'DomainTarget', {
      value: distribution.distributionDomainName,
      description: `The DNS target of ${props.domainName}.`,
    });
    new CfnOutput(this, 'WebhookUrl', {
      value: `https://${props.domainName}/webhooks/payments`,
      description: 'The setting webhookUrl of the deployment, and the URL to register.',
    });
  }

  #createWebAcl({ signatureHeader, requestsPerSecond }: FirewallProps): CfnWebACL {
    const webAcl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: firewallRules(requestsPerSecond),
      visibilityConfig: {
        metricName: 'webhook',
        cloudWatchMetricsEnabled: true,
        // Sampled requests would show the signature to everyone who opens the console.
        sampledRequestsEnabled: false,
      },
    });
    const logs = new LogGroup(this, 'Logs', {
      // WAF only writes to groups with this prefix.
      logGroupName: `aws-waf-logs-${this.stackName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: webAcl.attrArn,
      // The ARN of a group ends with `:*`, which WAF refuses.
      logDestinationConfigs: [
        this.formatArn({ service: 'logs', resource: `log-group:aws-waf-logs-${this.stackName}` }),
      ],
      // WAF logs headers, and never a body.
      redactedFields: [signatureHeader, 'authorization', 'cookie'].map((name) => ({
        singleHeader: { Name: name },
      })),
    }).node.addDependency(logs);
    Validations.of(logs).acknowledge({
      id: 'NIST.800.53.R5-CloudWatchLogGroupEncrypted',
      reason: 'It holds addresses and headers of webhooks, and neither signatures nor bodies.',
    });
    return webAcl;
  }

  #createDistribution(props: FirewallProps, webAclId: string): cloudfront.Distribution {
    const distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: `The webhook of ${props.originDomainName}`,
      domainNames: [props.domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', props.certificateArn),
      // TLS 1.2 and 1.3 with forward secrecy.
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      webAclId,
      defaultBehavior: {
        origin: new HttpOrigin(props.originDomainName, {
          protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
          // As long as API Gateway waits for the verifier.
          readTimeout: Duration.seconds(30),
        }),
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        // CloudFront has no smaller set with POST; the firewall refuses the others.
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        // Every header as it came, also the signature. Only Host is that of the origin.
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        compress: false,
      },
    });
    if (props.clientCertificateArn !== undefined) {
      const { defaultChild } = distribution.node;
      (defaultChild as cloudfront.CfnDistribution).addPropertyOverride(
        'DistributionConfig.Origins.0.CustomOriginConfig.OriginMtlsConfig',
        { ClientCertificateArn: props.clientCertificateArn },
      );
    }
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'The payment service may deliver from any country.' },
      { id: 'AwsSolutions-CFR3', reason: 'The firewall logs every request, with the signature redacted.' },
    );
    return distribution;
  }
}
