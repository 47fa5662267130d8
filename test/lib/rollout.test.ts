import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

describe('the setting rollout', () => {
  const rolledOut = synthesise({ rollout: 'LambdaLinear10PercentEvery1Minute' });
  const { at, idAt } = rolledOut;

  it.each([
    ['Verifier', ['WebhookServerErrors', 'WebhooksRefused']],
    ['Consumer', ['ConsumerErrors', 'RecordsRetried', 'DeadLettersPresent']],
  ])('moves the calls of the %s in steps, and back when one of its alarms fires', (stage, alarms) => {
    const group = at(`Rollout/${stage}`);
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
      AutoRollbackConfiguration: { Enabled: true },
      AlarmConfiguration: {
        Enabled: true,
        Alarms: alarms.map((name) => ({ Name: { Ref: idAt(`Alarms/${name}`) } })),
      },
    });
    const {
      AutoRollbackConfiguration: { Events },
    } = group.Properties as { AutoRollbackConfiguration: { Events: [] } };
    expect(Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    const alias = at(`${stage}/Function/Alias`) as { UpdatePolicy?: unknown } & ReturnType<typeof at>;
    expect(alias.UpdatePolicy).toMatchObject({
      CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: idAt(`Rollout/${stage}`) } },
    });
  });

  it('gives CodeDeploy a role that it has before its first use, and no policy of AWS', () => {
    expect(at('Rollout/Role').Properties['ManagedPolicyArns']).toBeUndefined();
    for (const stage of ['Verifier', 'Consumer'])
      expect(at(`Rollout/${stage}`).DependsOn).toContain(idAt('Rollout/Role/DefaultPolicy'));
    // A deployment group that waited for its alias would wait for itself.
    expect(JSON.stringify(at('Rollout/Role/DefaultPolicy'))).not.toMatch(/FunctionAlias/);
  });

  it('sends webhooks and their queue to the aliases', () => {
    const integration = at('Verifier/Endpoint/Webhook/Integration').Properties;
    expect(integration['IntegrationUri']).toEqual({ Ref: idAt('Verifier/Function/Alias') });
    expect(JSON.stringify(at('Consumer/Mapping').Properties['FunctionName'])).toMatch(
      /ConsumerFunction.*:live/,
    );
  });

  it('is off by default: no alias and nothing of CodeDeploy', () => {
    const typesOf = (of: typeof rolledOut) =>
      [...of.resources.values()].map(({ Type }) => Type).filter((type) => /CodeDeploy|Alias/.test(type));
    expect(typesOf(rolledOut)).toHaveLength(5);
    expect(typesOf(synthesise())).toEqual([]);
  });
});
