import { BOOTSTRAP_QUALIFIER_CONTEXT, DefaultStackSynthesizer } from 'aws-cdk-lib';
import {
  ConfigurationError,
  problemOf,
  readConfiguration,
  refuseUnknownContext,
} from '../lib/configuration.ts';
import { GithubRoles } from '../lib/github-deploy-role.ts';
import { synthesise } from './synthesis.ts';

const own = ['githubRepository', 'githubCheckWorkflow', 'separateAccounts'];
type Lookup = (key: string) => unknown;

/** One stack for each environment in `cdk.json`; docs/deploy.md, section 11, deploys them. */
synthesise((app) => {
  const lookup: Lookup = (key) => app.node.tryGetContext(key);
  refuseUnknownContext(Object.keys(app.node.getAllContext()).filter((name) => !own.includes(name)));
  const qualifiers = qualifiersOf(lookup);
  const problems = [...repositoryProblems(lookup('githubRepository')), ...flagProblems(lookup)];
  if (!isTrue(lookup('separateAccounts'), false)) problems.push(...sharedQualifiers(qualifiers));
  if (problems.length > 0) throw new ConfigurationError(problems);
  for (const [environmentName, qualifier] of qualifiers) {
    new GithubRoles(app, `payhooks-github-${environmentName}`, {
      repository: String(lookup('githubRepository')),
      environmentName,
      qualifier,
      checkWorkflow: isTrue(lookup('githubCheckWorkflow'), true),
    });
  }
});

/** The qualifier of each environment, by the same rules as in the deployment. */
function qualifiersOf(lookup: Lookup): [environmentName: string, qualifier: string][] {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const shared = String(lookup(BOOTSTRAP_QUALIFIER_CONTEXT) ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER);
  return Object.keys(lookup('environments') ?? {}).map((environmentName) => {
    const read = (key: string): unknown => (key === 'environmentName' ? environmentName : lookup(key));
    return [environmentName, readConfiguration(read, { account, region }).bootstrapQualifier ?? shared];
  });
}

function repositoryProblems(given: unknown): string[] {
  if (typeof given === 'string' && /^[\w.-]+\/[\w.-]+$|^[\w.-]+@\d+\/[\w.-]+@\d+$/.test(given)) return [];
  const expected = 'owner/name, or owner@1234/name@5678 if that is how the subjects of its tokens begin';
  return [problemOf('githubRepository', given, expected)];
}

function flagProblems(lookup: Lookup): string[] {
  return ['githubCheckWorkflow', 'separateAccounts']
    .filter((name) => ![undefined, 'true', 'false', true, false].includes(lookup(name) as undefined))
    .map((name) => problemOf(name, lookup(name), 'true or false'));
}

function isTrue(given: unknown, byDefault: boolean): boolean {
  return String(given ?? byDefault) === 'true';
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
