import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

/**
 * Resources that hold data or have an address. A new logical id makes CloudFormation create an empty one: change
 * this list only together with a plan to move the data.
 */
const pinned = [
  'EventQueue7D2669DD',
  'EventQueueDeadLettersB0AB092A',
  'OperationsEndpointApi6231DF1C',
  'OrderFeedArchiveE4582CFA',
  'OrderFeedBusC4CC54D3',
  'OrderFeedFailures4A6FCAE9',
  'OrderQueryEndpointApi66B86E72',
  'TablesEventsE8DD42EA',
  'TablesOrdersACF7C9C0',
  'TokenRefreshTokenSecret168E4BCB',
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

const oauth = { paymentServiceBaseUrl: 'https://pay.example.com', paymentServiceAuthentication: 'oauth' };
const production = synthesise(oauth);
const development = synthesise({ ...oauth, environmentName: 'development' });

/** The key of heartbeats is made anew with each stack. */
const holdsData = ([id]: readonly [string, unknown]): boolean => !id.startsWith('HeartbeatKeySecret');

describe('every resource that holds data', () => {
  it('keeps its logical id', () => {
    const ids = stateful.flatMap((type) =>
      production
        .ofType(type)
        .filter(holdsData)
        .map(([id]) => id),
    );
    expect(ids.sort()).toEqual(pinned);
  });

  it.each(kept)('of the type %s outlives the stack, unless keepData is false', (type) => {
    const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    const deleted = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };
    const [kept, thrownAway] = [production, development].map((stack) => stack.ofType(type).filter(holdsData));
    expect(kept?.length).toBeGreaterThan(0);
    expect(thrownAway).toHaveLength(kept?.length ?? 0);
    for (const [, resource] of kept ?? []) expect(resource).toMatchObject(retained);
    for (const [, resource] of thrownAway ?? []) expect(resource).toMatchObject(deleted);
  });

  it('belongs to a stack with termination protection, unless keepData is false', () => {
    expect([production.terminationProtection, development.terminationProtection]).toEqual([true, false]);
  });
});

describe('the tables', () => {
  it.each([
    ['production', production, true],
    ['development', development, false],
  ])('of %s are protected as keepData says, encrypted and billed per request', (_, stack, keepData) => {
    for (const properties of stack.propertiesOf('AWS::DynamoDB::Table')) {
      expect(properties).toMatchObject({
        DeletionProtectionEnabled: keepData,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: keepData },
        SSESpecification: { SSEEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
      });
    }
  });

  const keys = (...names: string[]) =>
    names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }));
  const { Properties: events } = production.at('Tables/Events');
  const { Properties: orders } = production.at('Tables/Orders');

  it('have several records per event, one row per order, and expire rows at expires_at', () => {
    expect(events['KeySchema']).toEqual(keys('event_key', 'record'));
    expect(orders['KeySchema']).toEqual(keys('order_key'));
    for (const { TimeToLiveSpecification } of [events, orders])
      expect(TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at', Enabled: true });
  });

  it('index what waits by kind and time without the bodies, and changed orders by shard and time', () => {
    const NonKeyAttributes = [
      ...['outcome', 'reason', 'event_id', 'event_name', 'order_id', 'assigned_order_ids'],
      ...['transaction_id', 'received_at', 'body_sha256', 'key_id'],
    ];
    expect(events['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'waiting',
        KeySchema: keys('waiting', 'recorded_at'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
      },
    ]);
    expect(orders['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'changes',
        KeySchema: keys('change_shard', 'updated_at'),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
  });

  it('have the class of AWS, unless the table of events is to be stored for less', () => {
    const cheaper = synthesise({ ...oauth, eventsTableClass: 'infrequent-access' });
    expect(cheaper.at('Tables/Events').Properties['TableClass']).toBe('STANDARD_INFREQUENT_ACCESS');
    expect([events['TableClass'], orders['TableClass']]).toEqual([undefined, undefined]);
  });
});

it('no secret of an operator has a value in the template: CloudFormation would overwrite the stored one', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret').filter(holdsData);
  const properties = secrets.map(([, { Properties }]) => Object.keys(Properties).toSorted());
  expect(properties).toEqual(Array(2).fill(['Description', 'Tags']));
});
