import { describe, expect, it } from 'vitest';
import { runProgram } from '../bin/program.ts';
import { synthesise } from '../lib/synthesis.ts';

const boundary = '@aws-cdk/core:permissionsBoundary';
const qualifier = '@aws-cdk/core:bootstrapQualifier';
const githubRepository = 'your-shop/payhooks';

describe('the qualifier of `cdk bootstrap`', () => {
  it.each([
    ['the entry of the environment', { environments: { production: { bootstrapQualifier: 'payments' } } }],
    ['the command line', { bootstrapQualifier: 'payments' }],
    ["the setting, before CDK's own context key", { bootstrapQualifier: 'payments', [qualifier]: 'other' }],
    ["CDK's default, where nothing sets it", {}, 'hnb659fds'],
  ])('is read from %s', (_, context, expected = 'payments') => {
    const { status, rolesOf, parameters } = runProgram('bin/app.ts', context);
    expect(status).toBe(0);
    const roles = JSON.stringify(rolesOf('payhooks-production'));
    expect(new Set(roles.match(/role\/cdk-\w+-[a-z-]+-role/g))).toEqual(
      new Set(['deploy', 'cfn-exec', 'lookup'].map((role) => `role/cdk-${expected}-${role}-role`)),
    );
    expect(parameters('payhooks-production')).toMatchObject({
      BootstrapVersion: { Default: `/cdk-bootstrap/${expected}/version` },
    });
  });

  it('changes nothing in the resources of the stack but the bucket that their code comes from', () => {
    const [own, usual] = [{ bootstrapQualifier: 'payments' }, {}].map((settings) =>
      JSON.stringify([...synthesise(settings).resources]),
    );
    expect(own?.replaceAll('cdk-payments-assets-', 'cdk-hnb659fds-assets-')).toBe(usual);
  });
});

describe("CDK's permissions boundary", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of CDK.
  const context = { [boundary]: { name: 'payments-${Qualifier}' }, bootstrapQualifier: 'own' };
  const expected = {
    'Fn::Join': [
      '',
      ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':policy/payments-own'],
    ],
  };

  it.each([
    ['bin/app.ts', 'payhooks-production', 8],
    ['bin/github-deploy-role.ts', 'payhooks-github-production', 2],
  ])('is on every role that %s makes', (program, stack, rolesMin) => {
    const own = program === 'bin/app.ts' ? {} : { githubRepository, separateAccounts: true };
    const roles = runProgram(program, { ...context, ...own })
      .stack(stack)
      .propertiesOf('AWS::IAM::Role');
    expect(roles.length).toBeGreaterThanOrEqual(rolesMin);
    for (const role of roles) expect(role['PermissionsBoundary']).toEqual(expected);
  });
});
