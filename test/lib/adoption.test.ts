import { describe, expect, it } from 'vitest';
import { ConfigurationError, readConfiguration } from '../../lib/configuration.ts';
import type { DeploymentTarget } from '../../lib/setting-combinations.ts';
import { adoptedResources, everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const adopted = synthesise({ ...everySetting, ...adoptedResources });
const { eventsTableName, ordersTableStreamArn, keySecretArn, tokenSecretArn, sequenceBase } =
  adoptedResources;
const ordersTableName = 'payhooks-production-orders-20261122T081500Z';

describe('a stack that adopts its tables and secrets', () => {
  it('has no table and no secret for payments of its own', () => {
    expect(adopted.ofType('AWS::DynamoDB::Table')).toEqual([]);
    const secrets = adopted.ofType('AWS::SecretsManager::Secret').map(([id]) => adopted.pathOf(id));
    expect(secrets).not.toContain('Verifier/KeySecret');
    expect(secrets).not.toContain('TokenRefresh/TokenSecret');
  });

  it.each(['OrderQuery', 'Operations'])('gives both tables to %s', (stage) => {
    expect(adopted.variablesOf(stage)).toMatchObject({
      EVENTS_TABLE_NAME: eventsTableName,
      ORDERS_TABLE_NAME: ordersTableName,
    });
  });

  it('gives the secrets to the stages that read them', () => {
    expect(adopted.variablesOf('Verifier')).toMatchObject({ KEY_SECRET_ARN: keySecretArn });
    expect(adopted.variablesOf('TokenRefresh')).toMatchObject({ TOKEN_SECRET_ARN: tokenSecretArn });
    expect(adopted.variablesOf('WebhookAudit')).toMatchObject({ TOKEN_SECRET_ARN: tokenSecretArn });
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

  it('publishes everything that the stream of the adopted table still holds', () => {
    expect(adopted.at('OrderFeed/Mapping').Properties).toMatchObject({
      EventSourceArn: ordersTableStreamArn,
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  it('may keep its own of what it does not adopt', () => {
    const { outputs, pathOf } = synthesise({ eventsTableName, sequenceBase: 0 });
    expect(outputs['EventsTableName']?.Value).toBe(eventsTableName);
    expect(pathOf(outputs['OrdersTableName']?.Value)).toBe('Tables/Orders');
    expect(pathOf(outputs['KeySecretArn']?.Value)).toBe('Verifier/KeySecret');
  });
});

type Settings = Readonly<Record<string, unknown>>;

const oauth = {
  paymentServiceBaseUrl: 'https://pay.example.com',
  paymentServiceAuthentication: 'oauth',
} as const;

function problemsOf(settings: Settings, target: DeploymentTarget = {}): readonly string[] {
  const context: Settings = { environmentName: 'production', ...oauth, ...settings };
  try {
    readConfiguration((key) => context[key], target);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe('the settings for adopted resources', () => {
  const place =
    'expected an ARN in the account and the region of the deployment and of the other adopted resources.';

  it('are accepted when they agree with each other and with the target of the deployment', () => {
    expect(problemsOf(adoptedResources)).toEqual([]);
    expect(problemsOf(adoptedResources, { account: '111122223333', region: 'eu-central-1' })).toEqual([]);
  });

  it('have the label of a stream as its ARN has it, also with a zone', () => {
    expect(problemsOf({ ordersTableStreamArn: `${ordersTableStreamArn}Z`, sequenceBase })).toEqual([]);
  });

  it('are refused in another account or region than that of the deployment', () => {
    const problem = `keySecretArn: given "${keySecretArn}", ${place}`;
    expect(problemsOf({ keySecretArn }, { account: '444455556666' })).toEqual([problem]);
    expect(problemsOf({ keySecretArn }, { region: 'eu-west-1' })).toEqual([problem]);
  });

  it.each([
    ['another region', keySecretArn.replace('eu-central-1', 'eu-west-1')],
    ['another account', keySecretArn.replace('111122223333', '444455556666')],
    ['another partition', keySecretArn.replace('arn:aws:', 'arn:aws-cn:')],
  ])('are refused when one is in %s than the others', (_, keySecretArn) => {
    expect(problemsOf({ ordersTableStreamArn, sequenceBase, keySecretArn })).toEqual([
      `keySecretArn: given "${keySecretArn}", ${place}`,
    ]);
  });

  it('are refused when both tables are the same', () => {
    expect(problemsOf({ eventsTableName: ordersTableName, ordersTableStreamArn, sequenceBase })).toEqual([
      `ordersTableStreamArn: given "${ordersTableStreamArn}", expected another table than that of eventsTableName.`,
    ]);
  });

  it.each([
    ['orders', { ordersTableStreamArn }],
    ['events', { eventsTableName }],
  ])('are refused with a table of %s and no sequenceBase', (_, settings) => {
    expect(problemsOf(settings)).toEqual([
      'sequenceBase: given nothing, expected a number with eventsTableName or ordersTableStreamArn, because order ' +
        'systems ignore an order whose sequence goes back, as it would with the earlier rows of a restored table. ' +
        'The restore command prints it: the value before (0 if there was none) plus 1,000,000,000.',
    ]);
  });

  it('are refused when both secrets are the same', () => {
    expect(problemsOf({ keySecretArn, tokenSecretArn: keySecretArn })).toEqual([
      `tokenSecretArn: given "${keySecretArn}", expected another secret than keySecretArn.`,
    ]);
  });

  it('are refused with a token that nothing would use', () => {
    expect(problemsOf({ tokenSecretArn, paymentServiceAuthentication: 'private-key' })).toEqual([
      `tokenSecretArn: given "${tokenSecretArn}", expected nothing, because only the ` +
        'paymentServiceAuthentication oauth uses a token.',
    ]);
  });
});
