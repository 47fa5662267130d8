import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const { paymentServiceBaseUrl, webhookCertificateArn, webhookTruststoreUri, webhookTruststoreVersion } =
  everySetting;
const domain = { paymentServiceBaseUrl, webhookDomainName: 'hooks.example.com', webhookCertificateArn };

const none = synthesise({ paymentServiceBaseUrl });
const both = synthesise(domain);
const mutual = synthesise({ ...domain, webhookTruststoreUri, webhookTruststoreVersion });
/** With a CDN in front of the domain. */
const proxied = synthesise(everySetting);

const domainOf = (stack: Synthesis) => stack.only('AWS::ApiGatewayV2::DomainName').Properties;
const apiOf = (stack: Synthesis, construct: string) => stack.at(`${construct}/Endpoint/Api`).Properties;
const outputOf = (stack: Synthesis, name: string) => stack.outputs[name]?.Value;

describe('the custom domain of the webhook API', () => {
  it('accepts TLS 1.2 and 1.3 only, and serves the webhook API at its root, so that the path stays', () => {
    expect(domainOf(both)['DomainNameConfigurations']).toEqual([
      { CertificateArn: webhookCertificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ]);
    const { Properties: mapping } = both.only('AWS::ApiGatewayV2::ApiMapping');
    expect(both.pathOf(mapping['ApiId'])).toBe('Verifier/Endpoint/Api');
    expect(mapping['Stage']).toBe('$default');
    expect(mapping).not.toHaveProperty('ApiMappingKey');
  });

  it('shows its DNS target for a CNAME or an alias record, and keeps its logical id', () => {
    // API Gateway refuses a second domain of the same name.
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
      TruststoreUri: webhookTruststoreUri,
      TruststoreVersion: webhookTruststoreVersion,
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
