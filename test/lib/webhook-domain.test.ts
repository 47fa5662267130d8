import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const arn = 'arn:aws:acm:eu-central-1:111122223333:certificate/0f1e2d3c-0000-4000-8000-000000000000';
const audited = { paymentServiceBaseUrl: 'https://pay.example.com' };
const domain = { ...audited, webhookDomainName: 'hooks.example.com', webhookCertificateArn: arn };

const none = synthesise(audited);
const both = synthesise(domain);
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

  it('changes no logical id of a stack, and shows its DNS target for a CNAME or an alias record', () => {
    expect([...none.resources.keys()].filter((id) => !both.resources.has(id))).toEqual([]);
    const attribute = (name: string) => ({ 'Fn::GetAtt': ['VerifierDomainName99AB6FBE', name] });
    expect(outputOf(both, 'WebhookDomainTarget')).toEqual(attribute('RegionalDomainName'));
    expect(outputOf(both, 'WebhookDomainHostedZoneId')).toEqual(attribute('RegionalHostedZoneId'));
  });

  it.each([
    ['is used', 'hooks.example.com', both],
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
});

describe('the default endpoint', () => {
  // Always explicit: a property that a template omits keeps its last value.
  it.each([
    ['enabled without a domain', none, false],
    ['enabled together with a domain, so that the registration can move', both, false],
    ['disabled by a trust store, because it would bypass mutual TLS', mutual, true],
    ['disabled behind a CDN with a trust store', proxied, true],
  ])('of the webhook API is %s', (_, stack, disabled) => {
    expect(apiOf(stack, 'Verifier')['DisableExecuteApiEndpoint']).toBe(disabled);
    // At once, because the stage deploys automatically.
    expect(stack.at('Verifier/Endpoint/Stage').Properties['AutoDeploy']).toBe(true);
    expect(apiOf(stack, 'OrderQuery')).not.toHaveProperty('DisableExecuteApiEndpoint');
  });
});
