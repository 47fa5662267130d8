import { describe, expect, it } from 'vitest';
import { adoptedResources, everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const adopted = synthesise({ ...everySetting, ...adoptedResources });
const { eventsTableName, ordersTableStreamArn, keySecretArn, tokenSecretArn } = adoptedResources;
const ordersTableName = 'payhooks-production-orders-20261122T081500Z';

describe('a stack that adopts its tables and secrets', () => {
  it('has no table and no secret for payments of its own', () => {
    expect(adopted.ofType('AWS::DynamoDB::Table')).toEqual([]);
    const secrets = adopted.ofType('AWS::SecretsManager::Secret').map(([id]) => adopted.pathOf(id));
    expect(secrets).not.toContain('Verifier/KeySecret');
    expect(secrets).not.toContain('TokenRefresh/TokenSecret');
  });

  it('gives them to the stages that use them', () => {
    const tables = { EVENTS_TABLE_NAME: eventsTableName, ORDERS_TABLE_NAME: ordersTableName };
    for (const stage of ['Consumer', 'OrderQuery', 'Operations'])
      expect(adopted.variablesOf(stage)).toMatchObject(tables);
    expect(adopted.variablesOf('Verifier')).toMatchObject({ KEY_SECRET_ARN: keySecretArn });
    expect(adopted.variablesOf('TokenRefresh')).toMatchObject({ TOKEN_SECRET_ARN: tokenSecretArn });
    expect(adopted.at('OrderFeed/Mapping').Properties).toMatchObject({
      EventSourceArn: ordersTableStreamArn,
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  it('shows their names in the outputs, where the CLI finds them', () => {
    expect(adopted.outputs).toMatchObject({
      EventsTableName: { Value: eventsTableName },
      OrdersTableName: { Value: ordersTableName },
      SequenceBase: { Value: '2000000000' },
      KeySecretArn: { Value: keySecretArn },
      TokenSecretArn: { Value: tokenSecretArn },
    });
  });

  it('rotates the adopted token, and permits its rotation to Secrets Manager', () => {
    const { Properties } = adopted.only('AWS::SecretsManager::RotationSchedule');
    expect(Properties).toMatchObject({ SecretId: tokenSecretArn });
    expect(adopted.at('TokenRefresh/Function/Lambda/Rotation').Properties).toMatchObject({
      SourceArn: tokenSecretArn,
    });
  });

  it('may keep its own of what it does not adopt', () => {
    const { outputs, pathOf } = synthesise({ eventsTableName, sequenceBase: 0 });
    expect(outputs['EventsTableName']?.Value).toBe(eventsTableName);
    expect(pathOf(outputs['OrdersTableName']?.Value)).toBe('Tables/Orders');
    expect(pathOf(outputs['KeySecretArn']?.Value)).toBe('Verifier/KeySecret');
  });
});
