import { App, BOOTSTRAP_QUALIFIER_CONTEXT, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../lib/configuration.ts';
import { GithubRoles } from '../lib/github-deploy-role.ts';

/** One stack for each environment in `cdk.json`; docs/deploy.md, section 11, deploys them. */
const app = new App({ autoSynth: false });
const own = ['githubRepository', 'githubCheckWorkflow', 'separateAccounts'];
const lookup = (key: string): unknown => app.node.tryGetContext(key);
try {
  refuseUnknownContext(Object.keys(app.node.getAllContext()).filter((name) => !own.includes(name)));
  const qualifiers = qualifiersOf(lookup('environments'));
  const problems = [...repositoryProblems(lookup('githubRepository')), ...flagProblems()];
  if (!isTrue('separateAccounts', false)) problems.push(...sharedQualifiers(qualifiers));
  if (problems.length > 0) throw new ConfigurationError(problems);
  for (const [environmentName, qualifier] of qualifiers) {
    new GithubRoles(app, `payhooks-github-${environmentName}`, {
      repository: String(lookup('githubRepository')),
      environmentName,
      qualifier,
      checkWorkflow: isTrue('githubCheckWorkflow', true),
    });
  }
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The qualifier of each environment, by the same rules as in the deployment. */
function qualifiersOf(environments: unknown): [environmentName: string, qualifier: string][] {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const shared = String(lookup(BOOTSTRAP_QUALIFIER_CONTEXT) ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER);
  return Object.keys(environments ?? {}).map((environmentName) => {
    const read = (key: string): unknown => (key === 'environmentName' ? environmentName : lookup(key));
    return [environmentName, readConfiguration(read, { account, region }).bootstrapQualifier ?? shared];
  });
}

function repositoryProblems(given: unknown): string[] {
  if (typeof given === 'string' && /^[\w.-]+\/[\w.-]+$|^[\w.-]+@\d+\/[\w.-]+@\d+$/.test(given)) return [];
  const expected = 'owner/name, or owner@1234/name@5678 if that is how the subjects of its tokens begin';
  return [`githubRepository: given ${JSON.stringify(given) ?? 'nothing'}, expected ${expected}.`];
}

function flagProblems(): string[] {
  return ['githubCheckWorkflow', 'separateAccounts']
    .filter((name) => ![undefined, 'true', 'false', true, false].includes(lookup(name) as undefined))
    .map((name) => `${name}: given ${JSON.stringify(lookup(name))}, expected true or false.`);
}

function isTrue(name: string, byDefault: boolean): boolean {
  return String(lookup(name) ?? byDefault) === 'true';
}

/** In one account the roles of a qualifier deploy every environment that has it. */
function sharedQualifiers(qualifiers: readonly (readonly [string, string])[]): string[] {
  return [...Map.groupBy(qualifiers, ([, qualifier]) => qualifier)]
    .filter(([, group]) => group.length > 1)
    .map(([qualifier, group]) => {
      const names = group.map(([name]) => name).join(' and ');
      return (
        `bootstrapQualifier: ${names} have ${qualifier}, so in one account each could deploy the other; ` +
        'expected one of its own for each, or -c separateAccounts=true if they are in separate accounts.'
      );
    });
}
