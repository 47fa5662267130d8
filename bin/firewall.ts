import { App } from 'aws-cdk-lib';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  refuseUnknownContext,
} from '../lib/configuration.ts';
import { Firewall } from '../lib/firewall.ts';

/** CloudFront and AWS WAF in front of the deployment of an environment; `docs/firewall.md` has the steps. */
const app = new App({ autoSynth: false });
const own = ['firewallDomainName', 'firewallCertificateArn', 'firewallClientCertificateArn'] as const;
const lookup = (key: string): unknown => app.node.tryGetContext(key);
const [domainName, certificateArn, clientCertificateArn] = own.map(lookup);
try {
  const given = Object.keys(app.node.getAllContext());
  refuseUnknownContext(given.filter((name) => !own.some((one) => one === name)));
  const configuration = readConfiguration(lookup);
  const problems = problemsOf(configuration);
  if (problems.length > 0) throw new ConfigurationError(problems);
  new Firewall(app, `payhooks-firewall-${configuration.environmentName}`, {
    domainName: String(domainName),
    certificateArn: String(certificateArn),
    originDomainName: configuration.webhookDomainName ?? '',
    clientCertificateArn: clientCertificateArn === undefined ? undefined : String(clientCertificateArn),
    signatureHeader: configuration.signatureHeader,
    requestsPerSecond: configuration.webhookRequestsPerSecond,
    bootstrapQualifier: configuration.bootstrapQualifier,
  });
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function problemsOf({ webhookDomainName, webhookTruststoreUri }: Configuration): string[] {
  const problems: string[] = [];
  const check = (isValid: boolean, name: string, [value, expected]: readonly [unknown, string]): void => {
    if (!isValid)
      problems.push(`${name}: given ${JSON.stringify(value) ?? 'nothing'}, expected ${expected}.`);
  };
  const isName = /^([a-z0-9-]+\.)+[a-z]+$/.test(String(domainName)) && domainName !== webhookDomainName;
  check(isName, own[0], [domainName, 'the host name to register, which is not webhookDomainName']);
  const isCertificate = (arn: unknown): boolean =>
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(String(arn));
  const certificate = 'the ARN of a certificate of AWS Certificate Manager in us-east-1';
  check(isCertificate(certificateArn), own[1], [certificateArn, certificate]);
  const mayConnect =
    clientCertificateArn === undefined
      ? webhookTruststoreUri === undefined
      : isCertificate(clientCertificateArn);
  check(mayConnect, own[2], [clientCertificateArn, `${certificate}, because of webhookTruststoreUri`]);
  const origin = 'the custom domain of the deployment, to which CloudFront connects';
  check(webhookDomainName !== undefined, 'webhookDomainName', [webhookDomainName, origin]);
  return problems;
}
