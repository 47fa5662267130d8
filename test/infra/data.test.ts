import { beforeAll, describe, expect, it } from 'vitest';
import { type Synthesis, synthesiseAll } from './synthesis.ts';

/**
 * Resources that hold something, or whose replacement somebody outside would notice. A changed logical id
 * makes CloudFormation create another one beside it, or empty: change this list only together with a plan to
 * move the data.
 */
const pinned = [
  'EventQueue7D2669DD',
  'EventQueueDeadLettersB0AB092A',
  'OrderFeedArchiveE4582CFA',
  'OrderFeedBusC4CC54D3',
  'OrderFeedFailures4A6FCAE9',
  'OrderQueryEndpointApi66B86E72',
  'TablesEventsE8DD42EA',
  'TablesOrdersACF7C9C0',
  'VerifierEndpointApiF833AB10',
  'VerifierKeySecret9C04C57B',
];

const stateful = [
  'AWS::ApiGatewayV2::Api',
  'AWS::DynamoDB::Table',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
];

const kept = [
  'AWS::DynamoDB::Table',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
  'AWS::Logs::LogGroup',
];

let production: Synthesis;
let development: Synthesis;
beforeAll(() => {
  [production, development] = synthesiseAll(
    { eventRetentionDays: 400 },
    { environmentName: 'development', keepData: false },
  );
});

const tableAt = (stack: Synthesis, path: string): Readonly<Record<string, unknown>> => {
  const found = stack.ofType('AWS::DynamoDB::Table').find(([id]) => stack.pathOf(id) === path);
  if (found === undefined) throw new Error(`no table at ${path}`);
  return found[1].Properties;
};

describe('data', () => {
  it('keeps its logical ids', () => {
    const ids = stateful.flatMap((type) => production.ofType(type).map(([id]) => id));
    expect(ids.sort()).toEqual(pinned);
  });

  it.each(kept)('outlives the stack by default: %s', (type) => {
    const resources = production.ofType(type);
    expect(resources.length).toBeGreaterThan(0);
    for (const [, resource] of resources) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  it.each(kept)('goes with the stack where data is not kept: %s', (type) => {
    const resources = development.ofType(type);
    expect(resources.length).toBeGreaterThan(0);
    for (const [, resource] of resources) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    }
  });

  it('protects the stack itself where data is kept', () => {
    expect([production.terminationProtection, development.terminationProtection]).toEqual([true, false]);
  });
});

describe.each(['Tables/Events', 'Tables/Orders'])('%s', (path) => {
  it('is protected against deletion and can be restored to any second', () => {
    expect(tableAt(production, path)).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('can be thrown away where data is not kept', () => {
    expect(tableAt(development, path)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });

  it('is encrypted and paid by request', () => {
    expect(tableAt(production, path)).toMatchObject({
      SSESpecification: { SSEEnabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    });
  });
});

describe('the keys of the tables', () => {
  const keys = (...names: string[]) =>
    names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }));

  it('holds several records per event, which expire by expires_at', () => {
    expect(tableAt(production, 'Tables/Events')).toMatchObject({
      KeySchema: keys('event_key', 'record'),
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    });
    expect(tableAt(production, 'Tables/Events')).not.toHaveProperty('GlobalSecondaryIndexes');
  });

  it('holds one row per order, which never expires', () => {
    expect(tableAt(production, 'Tables/Orders')['KeySchema']).toEqual(keys('order_key'));
    expect(tableAt(production, 'Tables/Orders')).not.toHaveProperty('TimeToLiveSpecification');
  });

  it('finds changed orders by shard and time', () => {
    expect(tableAt(production, 'Tables/Orders')['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'changes',
        KeySchema: keys('change_shard', 'updated_at'),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
  });
});

describe('the key secret', () => {
  it('has no value until the operator gives it one', () => {
    expect(Object.keys(production.only('AWS::SecretsManager::Secret').Properties)).toEqual(['Description']);
  });
});
