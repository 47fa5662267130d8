import { join } from 'node:path';
import type { StackModel } from '@payhooks/cdk-local';
import { readTemplate } from '@payhooks/cdk-local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from '../../local/pipeline/synthesise.ts';
import { sampleTemplate } from '../../packages/cdk-local/test/sample-template.ts';

const addresses = { sqsEndpoint: 'http://127.0.0.1:1111', baseUrl: 'http://127.0.0.1:2222' };

const named = (DomainName: string, others: object = {}) => ({
  Type: 'AWS::ApiGatewayV2::DomainName',
  Properties: { DomainName, DomainNameConfigurations: [{ EndpointType: 'REGIONAL' }], ...others },
});

/** What the outputs of the sample stack are with a domain and these resources. */
function outputsOf(values: Readonly<Record<string, unknown>>, resources: object = {}): StackModel['outputs'] {
  const Outputs = Object.fromEntries(Object.entries(values).map(([name, Value]) => [name, { Value }]));
  const template = sampleTemplate({ Name: named('hooks.example.com'), ...resources });
  return readTemplate({ ...template, Outputs }, { directory: '/out', addresses }).outputs;
}

describe('a custom domain in a template', () => {
  it('is this machine, also with mutual TLS, so that nothing is sent to a deployment', () => {
    const MutualTlsAuthentication = { TruststoreUri: 's3://trust/ca.pem', TruststoreVersion: '1' };
    const resources = { Name: named('hooks.example.com', { MutualTlsAuthentication }) };
    const values = { Url: 'https://hooks.example.com/webhooks/payments?a=1' };
    expect(outputsOf(values, resources)).toEqual({ Url: 'http://127.0.0.1:2222/webhooks/payments?a=1' });
  });

  it('leaves the addresses of others as they are, also of one whose name begins alike', () => {
    const values = {
      longer: 'https://hooks.example.com.evil.example/webhooks/payments',
      other: 'https://api.payment-service.example/',
    };
    expect(outputsOf(values)).toEqual(values);
  });

  it('has no target in the DNS here', () => {
    expect(outputsOf({ Target: { 'Fn::GetAtt': ['Name', 'RegionalDomainName'] }, One: '1' })).toEqual({
      One: '1',
    });
  });

  it('is refused with a base path, which would be a part of every path', () => {
    const Properties = { DomainName: { Ref: 'Name' }, Stage: '$default', ApiMappingKey: 'v1' };
    const Mapping = { Type: 'AWS::ApiGatewayV2::ApiMapping', Properties };
    expect(() => outputsOf({}, { DomainMapping: Mapping })).toThrow(
      'DomainMapping.ApiMappingKey (AWS::ApiGatewayV2::ApiMapping)',
    );
  });
});

describe('an environment with a domain and mutual TLS', () => {
  let made: Synthesis;
  beforeAll(async () => {
    made = await synthesise({
      project: join(import.meta.dirname, '../..'),
      app: 'bin/app.ts',
      context: {
        paymentServiceBaseUrl: 'http://127.0.0.1:4810',
        webhookDomainName: 'hooks.example.com',
        webhookCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/one',
        webhookTruststoreUri: 's3://trust.example/authorities.pem',
        webhookTruststoreVersion: 'one',
      },
    });
  });
  afterAll(() => made.remove());

  it('can be read by local mode, which registers and audits its own address', () => {
    const model = readTemplate(made.template, { directory: made.directory, addresses });
    const registered = 'http://127.0.0.1:2222/webhooks/payments';
    expect(model.outputs['WebhookUrl']).toBe(registered);
    expect(model.functions.flatMap(({ environment }) => environment['WEBHOOK_URL'] ?? [])).toEqual([
      registered,
    ]);
    expect(model.routes.map(({ key }) => key)).toContain('POST /webhooks/payments');
    expect(JSON.stringify(model)).not.toContain('hooks.example.com');
  });
});
