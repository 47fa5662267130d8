import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Firewall } from '../../lib/firewall.ts';
import { runProgram } from '../bin/program.ts';
import { everySetting } from '../lib/every-setting.ts';

const certificate = 'arn:aws:acm:us-east-1:111122223333:certificate/5a1b2c3d-1111-4222-8333-444455556666';
const { webhookDomainName, webhookCertificateArn, webhookTruststoreUri, webhookTruststoreVersion } =
  everySetting;
const context = {
  environmentName: 'production',
  webhookDomainName,
  webhookCertificateArn,
  firewallDomainName: 'hooks.merchant.example',
  firewallCertificateArn: certificate,
};
const mutualTls = { webhookTruststoreUri, webhookTruststoreVersion };
const program = 'bin/firewall.ts';

const complete = runProgram(
  program,
  {
    ...context,
    ...mutualTls,
    firewallClientCertificateArn: certificate,
    signatureHeader: 'X-Payment-Signature',
    bootstrapQualifier: 'payments',
  },
  { validation: true },
);
const stackName = 'payhooks-firewall-production';
const stack = complete.stack(stackName);
// biome-ignore lint/suspicious/noExplicitAny: a template is untyped.
const only = (type: string): any => stack.only(`AWS::${type}`).Properties;
const { DistributionConfig: distribution } = only('CloudFront::Distribution');
const webAcl = only('WAFv2::WebACL');

describe('the firewall', () => {
  it("passes AWS's own rules, and is deployed with the bootstrap roles of its environment", () => {
    expect(complete.stderr).not.toMatch(/error/i);
    expect(complete.status).toBe(0);
    const roles = JSON.stringify(complete.rolesOf(stackName));
    expect(roles).toContain('role/cdk-payments-deploy-role-');
    expect(roles).not.toContain('hnb659fds');
  });

  it('passes on every header but Host, and the request as it came', () => {
    // The managed policies CachingDisabled and AllViewerExceptHostHeader.
    expect(distribution.DefaultCacheBehavior).toMatchObject({
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      Compress: false,
    });
    expect(JSON.stringify(distribution)).not.toContain('FunctionAssociations');
  });

  it('connects over TLS alone, to the custom domain, with a client certificate', () => {
    expect(distribution).toMatchObject({
      Aliases: ['hooks.merchant.example'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'https-only' },
      Origins: [
        {
          DomainName: 'origin.merchant.example',
          CustomOriginConfig: {
            OriginProtocolPolicy: 'https-only',
            OriginSSLProtocols: ['TLSv1.2'],
            OriginMtlsConfig: { ClientCertificateArn: certificate },
          },
        },
      ],
    });
  });

  it('blocks with no rule that looks at a body', () => {
    const blocking = webAcl.Rules.filter(
      ({ OverrideAction }: { OverrideAction?: object }) => JSON.stringify(OverrideAction) !== '{"Count":{}}',
    );
    const Name = 'AWSManagedRulesAmazonIpReputationList';
    expect(blocking).toMatchObject([{ Name: 'OnlyWebhook' }, { Name: 'Rate' }, { Name }]);
    expect(JSON.stringify(blocking)).not.toMatch(/"(Body|JsonBody)"|Size/);
    // One address may send as much as the throttle of the API.
    expect(blocking[1]).toMatchObject({
      Statement: { RateBasedStatement: { Limit: 15_000, EvaluationWindowSec: 60, AggregateKeyType: 'IP' } },
      Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
    });
  });

  it('keeps its log as long as the data inventory says', () => {
    const { LogGroupName, RetentionInDays } = only('Logs::LogGroup');
    const page = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith('| log of the firewall |'));
    expect(row).toContain(`\`${LogGroupName.replace('production', 'ENVIRONMENT')}\``);
    expect(row).toContain(`| ${RetentionInDays} days |`);
  });

  it('protects the distribution, and logs without the signature', () => {
    const [[id] = []] = stack.ofType('AWS::WAFv2::WebACL');
    expect(distribution.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    const { RedactedFields } = only('WAFv2::LoggingConfiguration');
    expect(RedactedFields).toContainEqual({ SingleHeader: { Name: 'x-payment-signature' } });
    expect(JSON.stringify(webAcl)).not.toContain('"SampledRequestsEnabled":true');
  });

  it('has no finding of AwsSolutions that is not acknowledged', () => {
    vi.stubEnv('CDK_VALIDATION', 'false');
    const outdir = mkdtempSync(join(tmpdir(), 'payhooks-firewall-'));
    onTestFinished(() => rmSync(outdir, { recursive: true }));
    const app = new App({ outdir });
    new Firewall(app, 'firewall', {
      domainName: context.firewallDomainName,
      certificateArn: certificate,
      originDomainName: webhookDomainName,
      clientCertificateArn: undefined,
      signatureHeader: 'x-service-signature',
      requestsPerSecond: 1_000,
      bootstrapQualifier: undefined,
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});

describe('context of the firewall', () => {
  const inRegion = certificate.replace('us-east-1', 'eu-central-1');
  const name = 'firewallDomainName: given';
  const arn = 'expected the ARN of a certificate';

  it.each<[title: string, more: Readonly<Record<string, unknown>>, problem: string]>([
    ['no name', { firewallDomainName: undefined }, `${name} nothing, expected the host name`],
    [
      'a certificate of another region',
      { firewallCertificateArn: inRegion },
      `firewallCertificateArn: given "${inRegion}", ${arn}`,
    ],
    ['a trust store alone', mutualTls, 'firewallClientCertificateArn: given nothing, expected the ARN'],
    ['a misspelt name', { firewallClientCert: certificate }, 'firewallClientCert: not a setting'],
  ])('is refused with what is expected: %s', (_, more, problem) => {
    const { status, stderr } = runProgram(program, { ...context, ...more });
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('needs no client certificate without a trust store', () => {
    expect(runProgram(program, context).status).toBe(0);
  });
});
