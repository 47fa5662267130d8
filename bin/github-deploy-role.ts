import { App } from 'aws-cdk-lib';
import { GithubDeployRole } from '../lib/github-deploy-role.ts';

/**
 * Once per account: `npx cdk deploy --app 'node bin/github-deploy-role.ts' -c githubRepository=owner/name`.
 */
const app = new App({ autoSynth: false });
const repository: unknown = app.node.tryGetContext('githubRepository');
const providerArn: unknown = app.node.tryGetContext('githubOidcProviderArn');

if (typeof repository !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  refuse('githubRepository', repository, 'owner/name, such as -c githubRepository=your-shop/payhooks');
} else if (
  providerArn !== undefined &&
  !/^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/\S+$/.test(String(providerArn))
) {
  refuse('githubOidcProviderArn', providerArn, 'the ARN of an OIDC provider of IAM');
} else {
  const environments = ['development', 'production'].flatMap((name) => [name, `${name}-diff`]);
  new GithubDeployRole(app, 'payhooks-github-deploy-role', {
    repository,
    environments,
    providerArn: providerArn === undefined ? undefined : String(providerArn),
  });
  app.synth();
}

function refuse(setting: string, given: unknown, expected: string): void {
  process.stderr.write(`${setting}: given ${JSON.stringify(given) ?? 'nothing'}, expected ${expected}.\n`);
  process.exitCode = 1;
}
