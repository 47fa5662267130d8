/**
 * A web application firewall for the webhook, which HTTP APIs lack: CloudFront, with AWS WAF, in front of the
 * custom domain of a deployment. A web ACL of CloudFront and its log are in us-east-1. Copy this file into
 * your project, and follow `docs/firewall.md`.
 */
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';

/** What is yours. */
const deploymentName = 'payhooks-production';
/** The name to register. */
const domainName = 'hooks.example.com';
/** Its certificate, in us-east-1. */
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000001';
/** The deployment's own domain, to which only CloudFront connects. */
const originDomainName = 'origin.example.com';
/** The certificate, in us-east-1, that CloudFront shows to an origin with a trust store. */
const clientCertificateArn =
  'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000002';
/** Its values must not be in a log. */
const signatureHeader = 'x-service-signature';
/** What one address may send in a minute: a quarter of the throttle of the API. */
const requestsPerMinute = (1_000 * 60) / 4;

const env = { region: 'us-east-1' };
const stack = new Stack(new App(), 'firewall', { env, terminationProtection: true });

const exactly = (field: CfnWebACL.FieldToMatchProperty, text: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: field,
    positionalConstraint: 'EXACTLY',
    searchString: text,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});
const isWebhook = [exactly({ method: {} }, 'POST'), exactly({ uriPath: {} }, '/webhooks/payments')];
const block = (responseCode: number, ...responseHeaders: CfnWebACL.CustomHTTPHeaderProperty[]) => ({
  block: { customResponse: { responseCode, ...(responseHeaders.length > 0 && { responseHeaders }) } },
});
const managed = (name: string, overrideAction: CfnWebACL.OverrideActionProperty) => ({
  ...{ name, overrideAction, statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } } },
});

/** In their order. No rule that blocks looks at a body. */
const rules = [
  {
    name: 'OnlyWebhook',
    statement: { notStatement: { statement: { andStatement: { statements: isWebhook } } } },
    action: block(404),
  },
  {
    name: 'Rate',
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsPerMinute, evaluationWindowSec: 60 },
    },
    // A sender repeats what got 429; the usual 403 means that the signature is wrong.
    action: block(429, { name: 'retry-after', value: '60' }),
  },
  // The address of the caller is all that it inspects.
  managed('AWSManagedRulesAmazonIpReputationList', { none: {} }),
  // They inspect bodies, where the name of a customer may look like an attack: a payment that is refused
  // arrives late or never, while an attack meets a parser that trusts nothing. So they only count.
  managed('AWSManagedRulesCommonRuleSet', { count: {} }),
  managed('AWSManagedRulesKnownBadInputsRuleSet', { count: {} }),
];
// Sampled requests would show the signature to everyone who opens the console.
const visibilityOf = (metricName: string) => ({
  visibilityConfig: { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false },
});
const webAcl = new CfnWebACL(stack, 'WebAcl', {
  scope: 'CLOUDFRONT',
  defaultAction: { allow: {} },
  rules: rules.map((rule, priority) => ({ ...rule, priority, ...visibilityOf(rule.name) })),
  ...visibilityOf('webhook'),
});

// WAF only writes to groups with this prefix; `payhooks refused` reads the one of its deployment.
const logGroupName = `aws-waf-logs-${deploymentName}`;
const retention = RetentionDays.ONE_MONTH;
const logs = new LogGroup(stack, 'Logs', { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
new CfnLoggingConfiguration(stack, 'Logging', {
  resourceArn: webAcl.attrArn,
  // The ARN of a group ends with `:*`, which WAF refuses.
  logDestinationConfigs: [stack.formatArn({ service: 'logs', resource: `log-group:${logGroupName}` })],
  // WAF logs headers, and never a body.
  redactedFields: [signatureHeader, 'authorization', 'cookie'].map((Name) => ({ singleHeader: { Name } })),
}).node.addDependency(logs);

const distribution = new cloudfront.Distribution(stack, 'Distribution', {
  domainNames: [domainName],
  certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificateArn),
  // TLS 1.2 and 1.3 with forward secrecy.
  minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
  httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
  webAclId: webAcl.attrArn,
  defaultBehavior: {
    origin: new HttpOrigin(originDomainName, {
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
// Only for an origin with a trust store.
(distribution.node.defaultChild as cloudfront.CfnDistribution).addPropertyOverride(
  'DistributionConfig.Origins.0.CustomOriginConfig.OriginMtlsConfig',
  { ClientCertificateArn: clientCertificateArn },
);

new CfnOutput(stack, 'DomainTarget', { value: distribution.distributionDomainName });
new CfnOutput(stack, 'WebhookUrl', { value: `https://${domainName}/webhooks/payments` });
