import { beforeAll, describe, expect, it } from 'vitest';
import { problemsOf, read } from './configuration-problems.ts';
import { everySetting } from './every-setting.ts';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

const arn = 'arn:aws:acm:eu-central-1:111122223333:certificate/0f1e2d3c-0000-4000-8000-000000000000';
const domain = { webhookDomainName: 'hooks.example.com', webhookCertificateArn: arn };
const truststore = {
  webhookTruststoreUri: 's3://trust.example/payments/authorities.pem',
  webhookTruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
};
const paymentServiceBaseUrl = 'https://pay.example.com';

let none: Synthesis;
let both: Synthesis;
let closed: Synthesis;
let mutual: Synthesis;
let proxied: Synthesis;
beforeAll(() => {
  [none, both, closed, mutual, proxied] = synthesiseAll(
    { environmentName: 'none', paymentServiceBaseUrl },
    { environmentName: 'both', paymentServiceBaseUrl, ...domain },
    { environmentName: 'closed', paymentServiceBaseUrl, ...domain, webhookDefaultEndpoint: false },
    { environmentName: 'mutual', paymentServiceBaseUrl, ...domain, ...truststore },
    { ...everySetting, environmentName: 'proxied' },
  );
});

const domainOf = (stack: Synthesis) => stack.only('AWS::ApiGatewayV2::DomainName').Properties;
const mappingOf = (stack: Synthesis) => stack.only('AWS::ApiGatewayV2::ApiMapping').Properties;
const apiAt = (stack: Synthesis, path: string) => stack.at(path).Properties;
const outputOf = (stack: Synthesis, name: string) => stack.outputs[name]?.Value;

/** What the audit looks for. */
function auditedUrl(stack: Synthesis): unknown {
  const { Environment } = stack.at('WebhookAudit/Function/Lambda').Properties;
  return (Environment as { Variables: Readonly<Record<string, unknown>> }).Variables['WEBHOOK_URL'];
}

describe('a stack without a domain', () => {
  it('has neither name nor mapping nor outputs of one', () => {
    const types = [...none.resources.values()].map(({ Type }) => Type);
    expect(types.filter((type) => /DomainName|ApiMapping/.test(type))).toEqual([]);
    expect(Object.keys(none.outputs).filter((name) => name.startsWith('WebhookDomain'))).toEqual([]);
  });
});

describe('the domain of the webhook API', () => {
  it('is regional, with its certificate, and takes TLS 1.2 and 1.3 only', () => {
    expect(domainOf(both)).toEqual({
      DomainName: 'hooks.example.com',
      DomainNameConfigurations: [
        { CertificateArn: arn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
  });

  it('leads to the webhook API at its root, so that the path stays the same', () => {
    expect(both.pathOf(referenced(mappingOf(both)['ApiId']))).toBe('Verifier/Endpoint/Api');
    expect(mappingOf(both)['Stage']).toBe('$default');
    expect(mappingOf(both)).not.toHaveProperty('ApiMappingKey');
  });

  it('keeps its logical id, as a second one of the same name would be refused by API Gateway', () => {
    expect([...both.ofType('AWS::ApiGatewayV2::DomainName')].map(([id]) => id)).toEqual([
      'VerifierDomainName99AB6FBE',
    ]);
  });

  it('changes no logical id of the stack that it is added to', () => {
    const added = [...both.resources.keys()].filter((id) => !none.resources.has(id));
    expect(added.map((id) => both.pathOf(id)).sort()).toEqual([
      'Alarms/WebhookCertificateExpiring',
      'Verifier/Domain/Mapping',
      'Verifier/Domain/Name',
    ]);
    expect([...none.resources.keys()].filter((id) => !both.resources.has(id))).toEqual([]);
  });

  it('tells where the DNS has to point, for a CNAME and for an alias record', () => {
    const attribute = (name: string) => ({ 'Fn::GetAtt': ['VerifierDomainName99AB6FBE', name] });
    expect(outputOf(both, 'WebhookDomainTarget')).toEqual(attribute('RegionalDomainName'));
    expect(outputOf(both, 'WebhookDomainHostedZoneId')).toEqual(attribute('RegionalHostedZoneId'));
  });

  it('is what is registered, and what the audit looks for', () => {
    for (const stack of [both, closed, mutual]) {
      expect(outputOf(stack, 'WebhookUrl')).toBe('https://hooks.example.com/webhooks/payments');
      expect(auditedUrl(stack)).toBe('https://hooks.example.com/webhooks/payments');
    }
  });

  it('is the origin where a CDN stands before it, whose address is registered instead', () => {
    expect(domainOf(proxied)['DomainName']).toBe('origin.merchant.example');
    expect(outputOf(proxied, 'WebhookUrl')).toBe('https://hooks.merchant.example/webhooks/payments');
    expect(auditedUrl(proxied)).toBe('https://hooks.merchant.example/webhooks/payments');
  });
});

describe('mutual TLS', () => {
  it('asks callers for a certificate of one version of the trust store', () => {
    expect(domainOf(mutual)['MutualTlsAuthentication']).toEqual({
      TruststoreUri: 's3://trust.example/payments/authorities.pem',
      TruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
    });
    expect(domainOf(both)).not.toHaveProperty('MutualTlsAuthentication');
  });

  it('cannot be walked around: the default endpoint is switched off with it', () => {
    for (const stack of [mutual, proxied]) {
      expect(apiAt(stack, 'Verifier/Endpoint/Api')['DisableExecuteApiEndpoint']).toBe(true);
    }
  });

  it('needs no right in the stack to read the trust store, as API Gateway keeps a copy', () => {
    expect(JSON.stringify([...mutual.resources.values()])).not.toMatch(/s3:Get/);
  });
});

describe('the default endpoint', () => {
  it('answers beside the domain until it is switched off, so that the registration can move', () => {
    // Said, and not left out: what is left out would not take back that it was switched off.
    expect(apiAt(both, 'Verifier/Endpoint/Api')['DisableExecuteApiEndpoint']).toBe(false);
    expect(apiAt(closed, 'Verifier/Endpoint/Api')['DisableExecuteApiEndpoint']).toBe(true);
  });

  it('is opened again when the domain is taken away, which would leave the API without any address', () => {
    expect(apiAt(none, 'Verifier/Endpoint/Api')['DisableExecuteApiEndpoint']).toBe(false);
  });

  it('is off without a deployment of the API by hand, as its stage deploys by itself', () => {
    expect(closed.at('Verifier/Endpoint/Stage').Properties).toMatchObject({
      AutoDeploy: true,
    });
  });

  it('of the order query is none of this, and answers in every case', () => {
    for (const stack of [none, both, closed, mutual]) {
      expect(apiAt(stack, 'OrderQuery/Endpoint/Api')).not.toHaveProperty('DisableExecuteApiEndpoint');
      expect(JSON.stringify(outputOf(stack, 'OrderQueryUrl'))).toContain('ApiEndpoint');
    }
  });
});

describe('the certificate', () => {
  it('rings an alarm 30 days before it expires, and also once ACM counts its days no more', () => {
    expect(both.at('Alarms/WebhookCertificateExpiring').Properties).toMatchObject({
      Namespace: 'AWS/CertificateManager',
      MetricName: 'DaysToExpiry',
      Dimensions: [{ Name: 'CertificateArn', Value: arn }],
      Statistic: 'Minimum',
      Period: 86_400,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 30,
      TreatMissingData: 'breaching',
    });
  });
});

const name = 'webhookDomainName: given nothing, expected the name that webhookCertificateArn and ';
const certificate = 'webhookCertificateArn: given nothing, expected the certificate that webhookDomainName ';
const oldUrl = 'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/webhooks/payments';

describe('the settings of the domain', () => {
  it.each([
    [{ webhookDomainName: 'hooks.example.com' }, [certificate]],
    [{ webhookCertificateArn: arn }, [name]],
    [truststore, [name, certificate]],
    [
      { ...domain, ...truststore, webhookTruststoreVersion: undefined },
      ['webhookTruststoreVersion: given nothing'],
    ],
    [{ ...domain, webhookTruststoreVersion: 'abc' }, ['webhookTruststoreUri: given nothing']],
    [{ ...domain, ...truststore, webhookDefaultEndpoint: true }, ['webhookDefaultEndpoint: given true']],
    [{ webhookDefaultEndpoint: false }, ['webhookDefaultEndpoint: given false, expected true']],
    [{ ...domain, webhookDefaultEndpoint: false, webhookUrl: oldUrl }, [`webhookUrl: given "${oldUrl}"`]],
    [{ ...domain, ...truststore, webhookUrl: oldUrl }, [`webhookUrl: given "${oldUrl}"`]],
  ])('are refused where they contradict each other: %j', (context, problems) => {
    expect(problemsOf(context)).toEqual(problems.map((start) => expect.stringContaining(start)));
  });

  it('are told apart by a whole sentence', () => {
    expect(problemsOf({ ...domain, ...truststore, webhookDefaultEndpoint: 'true' })).toEqual([
      'webhookDefaultEndpoint: given true, expected false or nothing, because that endpoint asks for no certificate ' +
        'and webhookTruststoreUri requires one.',
    ]);
  });

  it('are not blamed for what another wrong one has to do with', () => {
    expect(problemsOf({ ...domain, webhookDomainName: 'Hooks.example.com' })).toEqual([
      expect.stringMatching(
        /^webhookDomainName: given "Hooks\.example\.com", expected a host name in lower case/,
      ),
    ]);
  });

  it('leave the default endpoint on with a domain, and off with a trust store', () => {
    expect(read(domain).webhookDefaultEndpoint).toBe(true);
    expect(read({ ...domain, ...truststore }).webhookDefaultEndpoint).toBe(false);
    expect(read({ ...domain, ...truststore, webhookDefaultEndpoint: 'false' }).webhookDefaultEndpoint).toBe(
      false,
    );
  });

  it('let the old address stay registered, and be audited, while it still answers', () => {
    expect(read({ ...domain, webhookUrl: oldUrl }).webhookUrl).toBe(oldUrl);
  });

  it.each(['hooks.example.com', 'a.b', '1.2.3.hooks', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example`])(
    'take the name %s',
    (webhookDomainName) => {
      expect(read({ ...domain, webhookDomainName }).webhookDomainName).toBe(webhookDomainName);
    },
  );

  it.each([
    ['webhookDomainName', 'https://hooks.example.com'],
    ['webhookDomainName', 'hooks.example.com.'],
    ['webhookDomainName', '*.example.com'],
    ['webhookDomainName', 'hooks.example.com:443'],
    ['webhookDomainName', 'hooks.example.com/webhooks'],
    ['webhookDomainName', 'HOOKS.example.com'],
    ['webhookDomainName', 'hooks'],
    ['webhookDomainName', '-hooks.example.com'],
    ['webhookDomainName', 'hooks-.example.com'],
    ['webhookDomainName', 'hooks..example.com'],
    ['webhookDomainName', 'hooks_1.example.com'],
    ['webhookDomainName', '192.0.2.1'],
    ['webhookDomainName', `${'a'.repeat(64)}.example`],
    ['webhookDomainName', `${'a.'.repeat(127)}example`],
    ['webhookCertificateArn', 'arn:aws:acm:eu-central-1:111122223333:certificate/'],
    ['webhookCertificateArn', 'arn:aws:iam::111122223333:server-certificate/hooks'],
    ['webhookCertificateArn', 'arn:aws:acm::111122223333:certificate/one'],
    ['webhookTruststoreUri', 'https://trust.example/authorities.pem'],
    ['webhookTruststoreUri', 's3://trust.example'],
    ['webhookTruststoreUri', 's3://trust.example/'],
    ['webhookTruststoreUri', 's3://Trust/authorities.pem'],
    ['webhookTruststoreUri', 's3://trust.example/authorities.pem?versionId=1'],
    ['webhookTruststoreVersion', ''],
    ['webhookTruststoreVersion', 'null'],
    ['webhookTruststoreVersion', 'a b'],
    ['webhookDefaultEndpoint', 'off'],
  ])('refuse %s = %j by its form', (setting, given) => {
    const [problem, ...others] = problemsOf({ ...domain, ...truststore, [setting]: given });
    expect(problem).toMatch(new RegExp(`^${setting}: given .*, expected `));
    expect(problem).toContain(`given ${JSON.stringify(given)}`);
    expect(others).toEqual([]);
  });
});
