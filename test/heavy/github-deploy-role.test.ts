import { describe, expect, it } from 'vitest';
import { runProgram } from '../bin/program.ts';
import { actions } from '../lib/iam/actions.ts';
import { type Decision, evaluate } from '../lib/iam/evaluate.ts';
import type { Policy, RequestContext } from '../lib/iam/policy.ts';
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
const provider = `arn:aws:iam::${account}:oidc-provider/${issuer}`;

const stacks = {
  production: github.stack('payhooks-github-production'),
  development: github.stack('payhooks-github-development'),
};

/** The claims of the token that GitHub gives to the workflow that deploys production. */
const production = {
  [`${issuer}:aud`]: 'sts.amazonaws.com',
  [`${issuer}:sub`]: 'repo:your-shop/payhooks:environment:production',
  [`${issuer}:job_workflow_ref`]: 'your-shop/payhooks/.github/workflows/deploy.yml@refs/heads/main',
};
const productionDiff = {
  ...production,
  [`${issuer}:sub`]: 'repo:your-shop/payhooks:environment:production-diff',
  [`${issuer}:job_workflow_ref`]: 'your-shop/payhooks/.github/workflows/diff.yml@refs/heads/main',
};

/** Whether a token becomes a role of GitHub. */
function assume(stack: Synthesis, role: string, context: RequestContext, from = provider): Decision {
  const policies = readPolicies(stack);
  const resource = policies.arnAt(role);
  const request = {
    principal: { kind: 'federated', provider: from },
    action: 'sts:AssumeRoleWithWebIdentity',
    resource,
    context,
  } as const;
  return evaluate(request, { identity: [], resource: policies.policiesOf(resource) });
}

describe('a token of GitHub', () => {
  it.each([
    ['production', 'DeployRole', production],
    ['production', 'DiffRole', productionDiff],
    [
      'development',
      'DeployRole',
      { ...production, [`${issuer}:sub`]: 'repo:your-shop/payhooks:environment:development' },
    ],
    [
      'development',
      'DiffRole',
      { ...productionDiff, [`${issuer}:sub`]: 'repo:your-shop/payhooks:environment:development-diff' },
    ],
  ] as const)(
    'of its own environment and workflow becomes the role of %s: %s',
    (environment, role, claims) => {
      expect(assume(stacks[environment], role, claims)).toBe('allowed');
    },
  );

  const subjects = [
    'repo:your-shop/payhooks:environment:development',
    'repo:your-shop/payhooks:environment:production-diff',
    'repo:your-shop/payhooks:environment:development-diff',
    'repo:your-shop/payhooks:environment:Production',
    'repo:your-shop/payhooks:environment:production ',
    'repo:your-shop/payhooks:environment:production-2',
    'repo:your-shop/payhooks:environment:*',
    'repo:your-shop/payhooks:environment:',
    'repo:your-shop/payhooks:pull_request',
    'repo:your-shop/payhooks:ref:refs/heads/main',
    'repo:your-shop/payhooks:ref:refs/heads/environment:production',
    'repo:your-shop/payhooks:ref:refs/tags/v1',
    'repo:your-shop/payhooks:*',
    'repo:your-shop/payhooks-fork:environment:production',
    'repo:someone/payhooks:environment:production',
    'repo:your-shop@1/payhooks@2:environment:production',
    'repo:YOUR-SHOP/payhooks:environment:production',
    'your-shop/payhooks:environment:production',
    '*',
    '',
  ];
  it.each(subjects)('with the subject "%s" does not become the deploy role of production', (subject) => {
    const token = { ...production, [`${issuer}:sub`]: subject };
    expect(assume(stacks.production, 'DeployRole', token)).toBe('implicit deny');
  });

  it('of a deployment does not become the diff role, nor that of a diff the deploy role', () => {
    expect(assume(stacks.production, 'DiffRole', production)).toBe('implicit deny');
    expect(assume(stacks.production, 'DeployRole', productionDiff)).toBe('implicit deny');
    expect(assume(stacks.development, 'DeployRole', production)).toBe('implicit deny');
  });

  it.each([
    ['for another service', { [`${issuer}:aud`]: 'https://github.com/your-shop' }],
    [
      'of the workflow in a pull request',
      { [`${issuer}:job_workflow_ref`]: 'your-shop/payhooks/.github/workflows/deploy.yml@refs/pull/7/merge' },
    ],
    [
      'of the workflow in another branch',
      { [`${issuer}:job_workflow_ref`]: 'your-shop/payhooks/.github/workflows/deploy.yml@refs/heads/x' },
    ],
    [
      'of another workflow',
      { [`${issuer}:job_workflow_ref`]: 'your-shop/payhooks/.github/workflows/other.yml@refs/heads/main' },
    ],
  ])('%s does not become a role', (_, claims) => {
    expect(assume(stacks.production, 'DeployRole', { ...production, ...claims })).toBe('implicit deny');
  });

  it.each(Object.keys(production))('without the claim %s does not become a role', (claim) => {
    const rest = Object.fromEntries(Object.entries(production).filter(([name]) => name !== claim));
    expect(assume(stacks.production, 'DeployRole', rest)).toBe('implicit deny');
  });

  it('of another issuer with the same claims does not become a role', () => {
    const other = provider.replace(issuer, 'token.actions.example.com');
    expect(assume(stacks.production, 'DeployRole', production, other)).toBe('implicit deny');
  });

  it('has a subject with ids in a repository that GitHub made after July 2026, and in no other', () => {
    const { status, stack } = runProgram(program, {
      environments,
      githubRepository: 'your-shop@1234/payhooks@5678',
    });
    expect(status).toBe(0);
    const subject = 'repo:your-shop@1234/payhooks@5678:environment:production';
    const role = stack('payhooks-github-production');
    expect(assume(role, 'DeployRole', { ...production, [`${issuer}:sub`]: subject })).toBe('allowed');
    expect(assume(role, 'DeployRole', production)).toBe('implicit deny');
  });
});

/** Every role of two bootstraps in one account. */
const bootstrapRoles = ['payments', 'sandbox', 'hnb659fds'].flatMap((qualifier) =>
  ['deploy', 'file-publishing', 'image-publishing', 'lookup', 'cfn-exec'].flatMap((role) =>
    [region, 'us-east-1'].map(
      (one) => `arn:aws:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${one}`,
    ),
  ),
);
/** The trust policy that `cdk bootstrap` gives to its roles, except for the last kind. */
const trustsTheAccount: Policy = {
  Statement: {
    Effect: 'Allow',
    Principal: { AWS: `arn:aws:iam::${account}:root` },
    Action: 'sts:AssumeRole',
  },
};

/** What a role of GitHub may do to these resources, as "action resource". */
function permitted(stack: Synthesis, path: string, resources: readonly string[]): string[] {
  const role = readPolicies(stack).roles.get(path);
  if (role === undefined) throw new Error(`There is no role ${path}.`);
  return actions.flatMap((action) =>
    resources
      .filter((resource) => {
        const request = { principal: { kind: 'identity', arn: role.arn }, action, resource } as const;
        return evaluate(request, { identity: role.policies, resource: [trustsTheAccount] }) === 'allowed';
      })
      .map((resource) => `${action} ${resource}`),
  );
}

describe('the roles of an environment', () => {
  const everything = [
    ...bootstrapRoles,
    `arn:aws:cloudformation:${region}:${account}:stack/payhooks-production/1a2b`,
    `arn:aws:cloudformation:${region}:${account}:stack/payhooks-production-2/1a2b`,
    `arn:aws:cloudformation:${region}:${account}:stack/payhooks-development/1a2b`,
    `arn:aws:dynamodb:${region}:${account}:table/payhooks-production-TablesEvents`,
    `arn:aws:iam::${account}:role/administrator`,
  ];

  it.each([
    ['production', 'payments'],
    ['development', 'sandbox'],
  ] as const)(
    'of %s: the deploy role becomes three roles of its own bootstrap, and does nothing else',
    (name, qualifier) => {
      expect(permitted(stacks[name], 'DeployRole', everything)).toEqual(
        ['deploy', 'file-publishing', 'lookup'].map(
          (role) =>
            `sts:AssumeRole arn:aws:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${region}`,
        ),
      );
    },
  );

  it.each(['production', 'development'] as const)(
    'of %s: the diff role reads one template, and becomes no role',
    (name) => {
      expect(permitted(stacks[name], 'DiffRole', everything)).toEqual([
        `cloudformation:GetTemplate arn:aws:cloudformation:${region}:${account}:stack/payhooks-${name}/1a2b`,
      ]);
    },
  );

  it('have no managed policy and no other user or key, and their ARNs are outputs', () => {
    for (const stack of Object.values(stacks)) {
      expect(new Set([...stack.resources.values()].map(({ Type }) => Type))).toEqual(
        new Set(['AWS::IAM::Role', 'AWS::IAM::Policy']),
      );
      expect(stack.propertiesOf('AWS::IAM::Role').map((role) => role['ManagedPolicyArns'])).toEqual([
        undefined,
        undefined,
      ]);
      expect(Object.keys(stack.outputs)).toEqual(['DeployRoleArn', 'DiffRoleArn']);
    }
  });

  it('are deployed with the credentials of the administrator, not with the roles of `cdk bootstrap`', () => {
    const { assumeRoleArn, cloudFormationExecutionRoleArn } = github.rolesOf('payhooks-github-production');
    expect([assumeRoleArn, cloudFormationExecutionRoleArn]).toEqual([undefined, undefined]);
  });
});

describe('the program that makes the roles', () => {
  it('compares no workflow with -c githubCheckWorkflow=false', () => {
    const { stack } = runProgram(program, { environments, githubRepository, githubCheckWorkflow: 'false' });
    const { [`${issuer}:job_workflow_ref`]: _, ...claims } = production;
    expect(assume(stack('payhooks-github-production'), 'DeployRole', claims)).toBe('allowed');
  });

  it('refuses environments that share a qualifier, unless they are said to be in separate accounts', () => {
    const { status, stderr } = runProgram(program, { githubRepository });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'bootstrapQualifier: production and development have hnb659fds, so in one account each could deploy the other; ' +
        'expected one of its own for each, or -c separateAccounts=true if they are in separate accounts.',
    );
    expect(runProgram(program, { githubRepository, separateAccounts: 'true' }).status).toBe(0);
  });

  it.each([
    [
      { githubRepository: 'payhooks' },
      'githubRepository: given "payhooks", expected owner/name, or owner@1234',
    ],
    [{ githubRepository: 'your-shop@1234/payhooks' }, 'githubRepository: given "your-shop@1234/payhooks"'],
    [{ githubRepository: 'your-shop/*' }, 'githubRepository: given "your-shop/*"'],
    [{}, 'githubRepository: given nothing'],
    [
      { githubRepository, githubCheckWorkflow: 'no' },
      'githubCheckWorkflow: given "no", expected true or false.',
    ],
    [{ githubRepository, githubRepo: 'x' }, 'githubRepo: not a setting'],
    [{ githubRepository, environments: { Prod: {} } }, 'environmentName: given "Prod"'],
  ])('refuses %j', (context, problem) => {
    const { status, stderr } = runProgram(program, { environments, ...context });
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
