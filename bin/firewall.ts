import {
  type Configuration,
  ConfigurationError,
  problemOf,
  readConfiguration,
  refuseUnknownContext,
} from '../lib/configuration.ts';
import { Firewall } from '../lib/firewall.ts';
import { synthesise } from './synthesis.ts';

const own = ['firewallDomainName', 'firewallCertificateArn', 'firewallClientCertificateArn'] as const;
type Given = Readonly<Record<(typeof own)[number], unknown>>;

/** CloudFront and AWS WAF in front of the deployment of an environment; `docs/firewall.md` has the steps. */
synthesise((app) => {
  const names = Object.keys(app.node.getAllContext());
  refuseUnknownContext(names.filter((name) => !own.some((one) => one === name)));
  const lookup = (key: string): unknown => app.node.tryGetContext(key);
  const configuration = readConfiguration(lookup);
  const given = Object.fromEntries(own.map((name) => [name, lookup(name)])) as Given;
  const problems = problemsOf(given, configuration);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { firewallDomainName, firewallCertificateArn, firewallClientCertificateArn: client } = given;
  new Firewall(app, `payhooks-firewall-${configuration.environmentName}`, {
    domainName: String(firewallDomainName),
    certificateArn: String(firewallCertificateArn),
    originDomainName: configuration.webhookDomainName ?? '',
    clientCertificateArn: client === undefined ? undefined : String(client),
    signatureHeader: configuration.signatureHeader,
    requestsPerSecond: configuration.webhookRequestsPerSecond,
    bootstrapQualifier: configuration.bootstrapQualifier,
  });
});

function problemsOf(given: Given, { webhookDomainName, webhookTruststoreUri }: Configuration): string[] {
  const problems: string[] = [];
  const check = (isValid: boolean, name: keyof Given, expected: string): void => {
    if (!isValid) problems.push(problemOf(name, given[name], expected));
  };
  const { firewallDomainName: domainName, firewallClientCertificateArn: client } = given;
  const isName = /^([a-z0-9-]+\.)+[a-z]+$/.test(String(domainName)) && domainName !== webhookDomainName;
  check(isName, 'firewallDomainName', 'the host name to register, which is not webhookDomainName');
  const isCertificate = (arn: unknown): boolean =>
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(String(arn));
  const certificate = 'the ARN of a certificate of AWS Certificate Manager in us-east-1';
  check(isCertificate(given.firewallCertificateArn), 'firewallCertificateArn', certificate);
  const mayConnect = client === undefined ? webhookTruststoreUri === undefined : isCertificate(client);
  check(mayConnect, 'firewallClientCertificateArn', `${certificate}, because of webhookTruststoreUri`);
  const origin = 'the custom domain of the deployment, to which CloudFront connects';
  if (webhookDomainName === undefined)
    problems.push(problemOf('webhookDomainName', webhookDomainName, origin));
  return problems;
}
