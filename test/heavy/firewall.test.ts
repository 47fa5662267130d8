import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Firewall } from '../../lib/firewall.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { everySetting } from '../lib/every-setting.ts';

const scratch = mkdtempSync(join(tmpdir(), 'payhooks-firewall-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const certificate = 'arn:aws:acm:us-east-1:111122223333:certificate/5a1b2c3d-1111-4222-8333-444455556666';
const context = {
  ...shippedContext,
  environmentName: 'production',
  webhookDomainName: everySetting.webhookDomainName,
  webhookCertificateArn: everySetting.webhookCertificateArn,
  firewallDomainName: 'hooks.merchant.example',
  firewallCertificateArn: certificate,
};
const mutualTls = {
  webhookTruststoreUri: everySetting.webhookTruststoreUri,
  webhookTruststoreVersion: everySetting.webhookTruststoreVersion,
};

/** Runs `bin/firewall.ts` as the CDK CLI does. */
function run(name: string, more: Readonly<Record<string, unknown>> = {}) {
  const output = join(scratch, name);
  const CDK_CONTEXT_JSON = JSON.stringify({ ...context, ...more });
  const { status, stderr } = spawnSync(process.execPath, ['bin/firewall.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { ...process.env, CDK_VALIDATION: 'true', CDK_OUTDIR: output, CDK_CONTEXT_JSON },
  });
  return { status, stderr, output };
}

// biome-ignore lint/suspicious/noExplicitAny: a template is untyped.
type Template = { readonly Resources: Readonly<Record<string, { Type: string; Properties: any }>> };

const complete = run('complete', {
  ...mutualTls,
  firewallClientCertificateArn: certificate,
  signatureHeader: 'X-Payment-Signature',
  bootstrapQualifier: 'payments',
});
const { Resources }: Template = JSON.parse(
  readFileSync(join(complete.output, 'payhooks-firewall-production.template.json'), 'utf8'),
);
const properties = (type: string) =>
  Object.values(Resources).find(({ Type }) => Type === `AWS::${type}`)?.Properties;
const { DistributionConfig: distribution } = properties('CloudFront::Distribution');
const rules: readonly {
  readonly Name: string;
  readonly Action?: unknown;
  readonly OverrideAction?: unknown;
  readonly Statement: unknown;
}[] = properties('WAFv2::WebACL').Rules;

describe('the firewall', () => {
  it("passes AWS's own rules", () => {
    expect(complete.stderr).not.toMatch(/error/i);
    expect(complete.status).toBe(0);
  });

  it('is deployed with the bootstrap roles of its environment', () => {
    const manifest = readFileSync(join(complete.output, 'manifest.json'), 'utf8');
    expect(manifest).toContain('role/cdk-payments-deploy-role-');
    expect(manifest).not.toContain('hnb659fds');
  });

  it('passes on every header but Host, and the request as it came', () => {
    // The managed policies CachingDisabled and AllViewerExceptHostHeader.
    expect(distribution.DefaultCacheBehavior).toMatchObject({
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      Compress: false,
    });
    expect(distribution.DefaultCacheBehavior.FunctionAssociations).toBeUndefined();
    expect(distribution.DefaultCacheBehavior.LambdaFunctionAssociations).toBeUndefined();
  });

  it('connects over TLS alone, to the custom domain, with a client certificate', () => {
    expect(distribution.Aliases).toEqual(['hooks.merchant.example']);
    expect(distribution.ViewerCertificate.MinimumProtocolVersion).toBe('TLSv1.2_2021');
    expect(distribution.DefaultCacheBehavior.ViewerProtocolPolicy).toBe('https-only');
    expect(distribution.Origins).toHaveLength(1);
    expect(distribution.Origins[0]).toMatchObject({
      DomainName: 'origin.merchant.example',
      CustomOriginConfig: {
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
        OriginMtlsConfig: { ClientCertificateArn: certificate },
      },
    });
  });

  it('blocks with no rule that looks at a body', () => {
    const blocking = rules.filter(({ Action, OverrideAction }) => {
      return Action !== undefined || JSON.stringify(OverrideAction) !== '{"Count":{}}';
    });
    expect(blocking.map(({ Name }) => Name)).toEqual([
      'OnlyWebhook',
      'Rate',
      'AWSManagedRulesAmazonIpReputationList',
    ]);
    expect(JSON.stringify(blocking)).not.toMatch(/"(Body|JsonBody)"|Size/);
    expect(rules.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining(['AWSManagedRulesCommonRuleSet', 'AWSManagedRulesKnownBadInputsRuleSet']),
    );
  });

  it('lets one address send as much as the throttle of the API', () => {
    const rate = rules.find(({ Name }) => Name === 'Rate');
    expect(rate).toMatchObject({
      Statement: { RateBasedStatement: { Limit: 60_000, EvaluationWindowSec: 60, AggregateKeyType: 'IP' } },
      Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
    });
  });

  it('keeps its log as long as the data inventory says', () => {
    const { LogGroupName, RetentionInDays } = properties('Logs::LogGroup');
    const page = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith('| log of the firewall |'));
    expect(row).toContain(`\`${LogGroupName.replace('production', 'ENVIRONMENT')}\``);
    expect(row).toContain(`| ${RetentionInDays} days |`);
  });

  it('protects the distribution, and logs without the signature', () => {
    const webAcl = Object.entries(Resources).find(([, { Type }]) => Type === 'AWS::WAFv2::WebACL');
    expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [webAcl?.[0], 'Arn'] });
    const { RedactedFields } = properties('WAFv2::LoggingConfiguration');
    expect(RedactedFields).toContainEqual({ SingleHeader: { Name: 'x-payment-signature' } });
    expect(properties('WAFv2::WebACL').VisibilityConfig.SampledRequestsEnabled).toBe(false);
    expect(JSON.stringify(rules)).not.toContain('"SampledRequestsEnabled":true');
  });

  it('has no finding of AwsSolutions that is not acknowledged', () => {
    vi.stubEnv('CDK_VALIDATION', 'false');
    const outdir = join(scratch, 'nag');
    const app = new App({ outdir, context: { '@aws-cdk/core:failSynthOnValidationErrors': false } });
    new Firewall(app, 'firewall', {
      domainName: context.firewallDomainName,
      certificateArn: certificate,
      originDomainName: context.webhookDomainName,
      clientCertificateArn: undefined,
      signatureHeader: 'x-service-signature',
      requestsPerSecond: 1_000,
      bootstrapQualifier: undefined,
    });
    // Has findings, which shows that the rules run.
    const plain = new Stack(app, 'plain');
    new Distribution(plain, 'Distribution', {
      defaultBehavior: { origin: new HttpOrigin('origin.merchant.example') },
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();
    const report: {
      readonly pluginReports: readonly {
        readonly violations: readonly {
          readonly ruleName: string;
          readonly violatingConstructs: readonly { readonly constructPath: string }[];
        }[];
      }[];
    } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    const findings = report.pluginReports.flatMap(({ violations }) =>
      violations.flatMap(({ ruleName, violatingConstructs }) =>
        violatingConstructs.map(({ constructPath }) => `${ruleName} at ${constructPath.split('/')[0]}`),
      ),
    );
    expect(findings).toEqual(
      expect.arrayContaining(['AwsSolutions-CFR2 at plain', 'AwsSolutions-CFR3 at plain']),
    );
    expect(findings.filter((finding) => finding.endsWith('at firewall'))).toEqual([]);
  });
});

describe('context of the firewall', () => {
  const inRegion = certificate.replace('us-east-1', 'eu-central-1');

  it.each<[title: string, more: Readonly<Record<string, unknown>>, problem: string]>([
    [
      'no name',
      { firewallDomainName: undefined },
      'firewallDomainName: given nothing, expected the host name',
    ],
    [
      'the name of the origin',
      { firewallDomainName: context.webhookDomainName },
      'firewallDomainName: given "origin.merchant.example", expected the host name',
    ],
    [
      'a certificate of another region',
      { firewallCertificateArn: inRegion },
      `firewallCertificateArn: given "${inRegion}", expected the ARN of a certificate`,
    ],
    ['a trust store alone', mutualTls, 'firewallClientCertificateArn: given nothing, expected the ARN'],
    [
      'no origin',
      { webhookDomainName: undefined, webhookCertificateArn: undefined },
      'webhookDomainName: given nothing, expected the custom domain of the deployment',
    ],
    [
      'a misspelt name',
      { firewallClientCertificate: certificate },
      'firewallClientCertificate: not a setting',
    ],
  ])('is refused with what is expected: %s', (title, more, problem) => {
    const { status, stderr } = run(title.replaceAll(' ', '-'), more);
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('needs no client certificate without a trust store', () => {
    expect(run('plain').stderr).not.toMatch(/error/i);
  });
});
