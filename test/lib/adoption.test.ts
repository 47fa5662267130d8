import { describe, expect, it } from 'vitest';
import { adoptedResources, everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const adopted = synthesise({ ...everySetting, ...adoptedResources });
const { eventsTableName, ordersTableStreamArn, keySecretArn, tokenSecretArn, sealSecretArn } =
  adoptedResources;
const ordersTableName = 'payhooks-production-orders-20261122T081500Z';

// That it has none of its own is in upgrades.test.ts, and what its roles may do in least-privilege.test.ts;
// test/deploy/comeback.test.ts deploys such a stack.
describe('a stack that adopts its tables and secrets', () => {
  it('gives them to the stages that use them, and shows their names in the outputs', () => {
    const { variablesOf, outputs } = adopted;
    for (const stage of ['Verifier', 'Consumer', 'Seal'])
      expect(variablesOf(stage)).toMatchObject({ SEAL_SECRET_ARN: sealSecretArn });
    expect(variablesOf('TokenRefresh')).toMatchObject({ TOKEN_SECRET_ARN: tokenSecretArn });
    expect(adopted.at('TokenRefresh/Schedule').Properties).toMatchObject({ SecretId: tokenSecretArn });
    expect(adopted.at('OrderFeed/Mapping').Properties).toMatchObject({
      EventSourceArn: ordersTableStreamArn,
      StartingPosition: 'TRIM_HORIZON',
    });
    expect(outputs).toMatchObject({
      EventsTableName: { Value: eventsTableName },
      OrdersTableName: { Value: ordersTableName },
      SequenceBase: { Value: '2000000000' },
      KeySecretArn: { Value: keySecretArn },
      TokenSecretArn: { Value: tokenSecretArn },
    });
  });

  it('may keep its own of what it does not adopt', () => {
    const { outputs, pathOf } = synthesise({ eventsTableName, sequenceBase: 0 });
    expect(outputs['EventsTableName']?.Value).toBe(eventsTableName);
    expect(pathOf(outputs['OrdersTableName']?.Value)).toBe('Tables/Orders');
    expect(pathOf(outputs['KeySecretArn']?.Value)).toBe('Verifier/KeySecret');
  });
});
