import { describe, expect, it } from 'vitest';
import type { StackModel } from '../src/template/model.ts';
import { readSample } from './sample-template.ts';

const named = (DomainName: string, others: object = {}) => ({
  Type: 'AWS::ApiGatewayV2::DomainName',
  Properties: { DomainName, DomainNameConfigurations: [{ EndpointType: 'REGIONAL' }], ...others },
});

/** What the outputs of the sample stack are with a domain and these resources. */
function outputsOf(values: Readonly<Record<string, unknown>>, resources: object = {}): StackModel['outputs'] {
  const Outputs = Object.fromEntries(Object.entries(values).map(([name, Value]) => [name, { Value }]));
  return readSample({ Name: named('hooks.example.com'), ...resources }, { Outputs }).outputs;
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
