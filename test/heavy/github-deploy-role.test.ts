import { describe, expect, it } from 'vitest';
import { runProgram } from '../bin/program.ts';
import { account, readPolicies, region } from '../lib/iam/stack-policies.ts';
import type { Synthesis } from '../lib/synthesis.ts';

const environments = {
  production: { bootstrapQualifier: 'payments' },
  development: { bootstrapQualifier: 'sandbox', keepData: false },
};
const program = 'bin/github-deploy-role.ts';
const githubRepository = 'your-shop/payhooks';
const github = runProgram(program, { environments, githubRepository });
const issuer = 'token.actions.githubusercontent.com';

/** Who may become a role, and what it may do then; every string is compared as a whole, without wildcards. */
function roleOf(stack: Synthesis, path: string) {
  const { roles, arnAt, policiesOf } = readPolicies(stack);
  return { trusts: policiesOf(arnAt(path)), may: roles.get(path)?.policies };
}
/** The trust in the tokens with these claims, and in nothing else. */
const trustIn = (claims: Readonly<Record<string, string>>) => [
  {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: `arn:aws:iam::${account}:oidc-provider/${issuer}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: Object.fromEntries(
            Object.entries({ aud: 'sts.amazonaws.com', ...claims }).map(([name, value]) => [
              `${issuer}:${name}`,
              value,
            ]),
          ),
        },
      },
    ],
  },
];
const permissionFor = (Action: string, Resource: unknown) => [
  { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] },
];
const workflows = 'your-shop/payhooks/.github/workflows';

describe('the roles of an environment', () => {
  it.each([
    ['production', 'payments'],
    ['development', 'sandbox'],
  ])(
    'of %s: a deployment from main becomes three roles of its own bootstrap, and does nothing else',
    (name, qualifier) => {
      expect(roleOf(github.stack(`payhooks-github-${name}`), 'DeployRole')).toEqual({
        trusts: trustIn({
          sub: `repo:your-shop/payhooks:environment:${name}`,
          job_workflow_ref: `${workflows}/deploy.yml@refs/heads/main`,
        }),
        may: permissionFor(
          'sts:AssumeRole',
          ['deploy', 'file-publishing'].map(
            (role) => `arn:aws:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${region}`,
          ),
        ),
      });
    },
  );

  it('of production: a diff from main reads one template, and becomes no role', () => {
    const template = `arn:aws:cloudformation:${region}:${account}:stack/payhooks-production/*`;
    expect(roleOf(github.stack('payhooks-github-production'), 'DiffRole')).toEqual({
      trusts: trustIn({
        sub: 'repo:your-shop/payhooks:environment:production-diff',
        job_workflow_ref: `${workflows}/diff.yml@refs/heads/main`,
      }),
      may: permissionFor('cloudformation:GetTemplate', template),
    });
  });

  it('are all that their stack has, and their ARNs are outputs', () => {
    for (const name of Object.keys(environments)) {
      const { resources, outputs, propertiesOf } = github.stack(`payhooks-github-${name}`);
      const types = new Set([...resources.values()].map(({ Type }) => Type));
      expect(types).toEqual(new Set(['AWS::IAM::Role', 'AWS::IAM::Policy']));
      for (const role of propertiesOf('AWS::IAM::Role')) expect(role).not.toHaveProperty('ManagedPolicyArns');
      expect(Object.keys(outputs)).toEqual(['DeployRoleArn', 'DiffRoleArn']);
    }
  });

  it('are deployed with the credentials of the administrator, not with the roles of `cdk bootstrap`', () => {
    const { assumeRoleArn, cloudFormationExecutionRoleArn } = github.rolesOf('payhooks-github-production');
    expect([assumeRoleArn, cloudFormationExecutionRoleArn]).toEqual([undefined, undefined]);
  });
});

describe('the program that makes the roles', () => {
  it('takes a repository with ids, as GitHub names those made after July 2026, and may compare no workflow', () => {
    const trusts = (context: object) => {
      const { stack } = runProgram(program, { environments, ...context });
      return roleOf(stack('payhooks-github-production'), 'DeployRole').trusts;
    };
    const repository = 'your-shop@1234/payhooks@5678';
    const sub = `repo:${repository}:environment:production`;
    const job_workflow_ref = `${workflows}/deploy.yml@refs/heads/main`;
    expect(trusts({ githubRepository: repository })).toEqual(trustIn({ sub, job_workflow_ref }));
    const unchecked = { githubRepository: repository, githubCheckWorkflow: 'false' };
    expect(trusts(unchecked)).toEqual(trustIn({ sub }));
  });

  it('takes environments that share a qualifier if they are said to be in separate accounts', () => {
    expect(runProgram(program, { githubRepository, separateAccounts: 'true' }).status).toBe(0);
  });

  const given = 'githubRepository: given';
  it.each([
    [
      { githubRepository, environments: { production: {}, development: {} } },
      'bootstrapQualifier: production and development have hnb659fds, so in one account each could deploy the ' +
        'other; expected one of its own for each, or -c separateAccounts=true if they are in separate accounts.',
    ],
    [{ githubRepository: 'payhooks' }, `${given} "payhooks", expected owner/name, or owner@1234`],
    [{ githubRepository: 'your-shop/*' }, `${given} "your-shop/*"`],
    [{}, `${given} nothing`],
    [{ githubRepository, githubRepo: 'x' }, 'githubRepo: not a setting'],
    [{ githubRepository, environments: { Prod: {} } }, 'environmentName: given "Prod"'],
  ])('refuses %j', (context, problem) => {
    const { status, stderr } = runProgram(program, { environments, ...context });
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
