import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const arn = 'arn:aws:acm:eu-central-1:111122223333:certificate/0f1e2d3c-0000-4000-8000-000000000000';
const audited = { paymentServiceBaseUrl: 'https://pay.example.com' };
const domain = { ...audited, webhookDomainName: 'hooks.example.com', webhookCertificateArn: arn };

const none = synthesise(audited);
const both = synthesise(domain);
const closed = synthesise({ ...domain, webhookDefaultEndpoint: false });
const mutual = synthesise({
  ...domain,
  webhookTruststoreUri: 's3://trust.example/payments/authorities.pem',
  webhookTruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
});
/** With a CDN in front of the domain. */
const proxied = synthesise(everySetting);

const domainOf = (stack: Synthesis) => stack.only('AWS::ApiGatewayV2::DomainName').Properties;
const apiOf = (stack: Synthesis, construct: string) => stack.at(`${construct}/Endpoint/Api`).Properties;
const outputOf = (stack: Synthesis, name: string) => stack.outputs[name]?.Value;

describe('the custom domain of the webhook API', () => {
  it('is regional and accepts TLS 1.2 and 1.3 only', () => {
    expect(domainOf(both)['DomainNameConfigurations']).toEqual([
      { CertificateArn: arn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ]);
    expect(domainOf(both)['DomainName']).toBe('hooks.example.com');
  });

  it('serves the webhook API at its root, so that the path stays the same', () => {
    const { Properties: mapping } = both.only('AWS::ApiGatewayV2::ApiMapping');
    expect(both.pathOf(mapping['ApiId'])).toBe('Verifier/Endpoint/Api');
    expect(mapping['Stage']).toBe('$default');
    expect(mapping).not.toHaveProperty('ApiMappingKey');
  });

  it('keeps its logical id, because API Gateway refuses a second domain of the same name', () => {
    expect(both.idAt('Verifier/Domain/Name')).toBe('VerifierDomainName99AB6FBE');
  });

  it('adds three resources to a stack and changes no logical id', () => {
    const added = [...both.resources.keys()].filter((id) => !none.resources.has(id));
    expect(added.map((id) => both.pathOf(id)).sort()).toEqual([
      'Alarms/WebhookCertificateExpiring',
      'Verifier/Domain/Mapping',
      'Verifier/Domain/Name',
    ]);
    expect([...none.resources.keys()].filter((id) => !both.resources.has(id))).toEqual([]);
    expect(Object.keys(none.outputs).filter((name) => name.startsWith('WebhookDomain'))).toEqual([]);
  });

  it('shows its DNS target in the outputs, for a CNAME and for an alias record', () => {
    const attribute = (name: string) => ({ 'Fn::GetAtt': ['VerifierDomainName99AB6FBE', name] });
    expect(outputOf(both, 'WebhookDomainTarget')).toEqual(attribute('RegionalDomainName'));
    expect(outputOf(both, 'WebhookDomainHostedZoneId')).toEqual(attribute('RegionalHostedZoneId'));
  });

  it.each([
    ['is used', 'hooks.example.com', both],
    ['is used without a default endpoint', 'hooks.example.com', closed],
    ['is used with mutual TLS', 'hooks.example.com', mutual],
    ['is replaced by webhookUrl', 'hooks.merchant.example', proxied],
  ])('%s in the registered and audited URL: %s', (_, host, stack) => {
    expect(outputOf(stack, 'WebhookUrl')).toBe(`https://${host}/webhooks/payments`);
    expect(stack.variablesOf('WebhookAudit')['WEBHOOK_URL']).toBe(`https://${host}/webhooks/payments`);
  });

  it('requires a client certificate from one version of the trust store, when there is one', () => {
    expect(domainOf(mutual)['MutualTlsAuthentication']).toEqual({
      TruststoreUri: 's3://trust.example/payments/authorities.pem',
      TruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
    });
    expect(domainOf(both)).not.toHaveProperty('MutualTlsAuthentication');
  });

  it('gives no role access to the trust store, because API Gateway keeps a copy', () => {
    expect(JSON.stringify([...mutual.resources.values()])).not.toMatch(/s3:Get/);
  });
});

describe('the default endpoint of the webhook API', () => {
  // Always explicit: a property that a template omits keeps its last value.
  it.each([
    ['enabled without a domain', none, false],
    ['enabled together with a domain, so that the registration can move', both, false],
    ['disabled by webhookDefaultEndpoint false', closed, true],
    ['disabled by a trust store, because it would bypass mutual TLS', mutual, true],
    ['disabled behind a CDN with a trust store', proxied, true],
  ])('is %s', (_, stack, disabled) => {
    expect(apiOf(stack, 'Verifier')['DisableExecuteApiEndpoint']).toBe(disabled);
  });

  it('is disabled at once, because the stage deploys automatically', () => {
    expect(closed.at('Verifier/Endpoint/Stage').Properties['AutoDeploy']).toBe(true);
  });
});

describe('the default endpoint of the order query', () => {
  it('is never disabled', () => {
    for (const stack of [none, both, closed, mutual]) {
      expect(apiOf(stack, 'OrderQuery')).not.toHaveProperty('DisableExecuteApiEndpoint');
      expect(JSON.stringify(outputOf(stack, 'OrderQueryUrl'))).toContain('ApiEndpoint');
    }
  });
});
