import { describe, expect, it } from 'vitest';
import { runProgram } from '../bin/program.ts';
import { synthesise } from '../lib/synthesis.ts';

const qualifier = '@aws-cdk/core:bootstrapQualifier';

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
