import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { evaluate } from './iam/evaluate.ts';
import { readPolicies } from './iam/stack-policies.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/encryption.md'), 'utf8');
const { encryptionKeyArn: _, ...withoutKey } = everySetting;
const arn = 'arn:aws:kms:eu-central-1:111122223333:key/5a1b2c3d-1111-4222-8333-444455556666';
const standard = synthesise(withoutKey);
const own = synthesise(everySetting);
const given = synthesise({ ...everySetting, encryptionKeyArn: arn });

/** Where each type of resource that stores something names its key. */
const keyProperties = {
  'AWS::DynamoDB::Table': ['SSESpecification', 'KMSMasterKeyId'],
  'AWS::SQS::Queue': ['KmsMasterKeyId'],
  'AWS::SecretsManager::Secret': ['KmsKeyId'],
  'AWS::Logs::LogGroup': ['KmsKeyId'],
  'AWS::Lambda::Function': ['KmsKeyArn'],
  'AWS::Events::EventBus': ['KmsKeyIdentifier'],
  'AWS::Events::Archive': ['KmsKeyIdentifier'],
} as const;

function keysIn(stack: Synthesis): Map<string, unknown> {
  const entries = Object.entries(keyProperties).flatMap(([type, path]) =>
    stack.ofType(type).map(([id, { Properties }]): [string, unknown] => {
      const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], Properties);
      return [stack.pathOf(id), value];
    }),
  );
  return new Map(entries);
}

describe('without encryptionKeyArn', () => {
  it('the stack has no key, and no resource names one', () => {
    expect(standard.ofType('AWS::KMS::Key')).toEqual([]);
    expect(standard.at('Alarms/Topic').Properties['KmsMasterKeyId']).toBeUndefined();
    const named = [...keysIn(standard)].filter(([, key]) => key !== undefined && key !== '');
    expect(named).toEqual([]);
  });
});

describe('with encryptionKeyArn', () => {
  it('everything that is stored is encrypted with the key of the stack, or the one that the setting names', () => {
    for (const [stack, expected] of [
      [own, ownKey],
      [given, arn],
    ] as const) {
      const keys = keysIn(stack);
      expect(keys.size).toBeGreaterThan(25);
      const others = [...keys].filter(([, key]) => JSON.stringify(key) !== JSON.stringify(expected));
      // It must take the events that this key fails to encrypt.
      expect(others).toEqual([['OrderFeed/Failures', undefined]]);
    }
    expect(given.ofType('AWS::KMS::Key').map(([id]) => given.pathOf(id))).toEqual(['Alarms/Key']);
  });

  it('events that the bus cannot encrypt go to the feed failures, from this bus alone', () => {
    const { arnAt, policiesOf } = readPolicies(own);
    const failures = arnAt('OrderFeed/Failures');
    const decide = (source: string) =>
      evaluate(
        {
          principal: { kind: 'service', service: 'events.amazonaws.com' },
          action: 'sqs:SendMessage',
          resource: failures,
          context: { 'aws:SourceArn': source },
        },
        { identity: [], resource: policiesOf(failures) },
      );
    expect(own.at('OrderFeed/Bus').Properties['DeadLetterConfig']).toEqual({
      Arn: { 'Fn::GetAtt': [own.idAt('OrderFeed/Failures'), 'Arn'] },
    });
    expect(decide('arn:aws:events:eu-central-1:111122223333:event-bus/payhooks-production')).toBe('allowed');
    expect(decide('arn:aws:events:eu-central-1:111122223333:event-bus/other')).toBe('implicit deny');
    expect(standard.at('OrderFeed/Bus').Properties['DeadLetterConfig']).toBeUndefined();
  });

  it('alarms have another key, so that they arrive when this one is disabled', () => {
    expect(own.pathOf(own.at('Alarms/Topic').Properties['KmsMasterKeyId'])).toBe('Alarms/Key');
    expect(own.at('Alarms/Key').Properties['EnableKeyRotation']).toBe(true);
    expect(own.ofType('AWS::KMS::Key')).toHaveLength(2);
  });

  it('roles have the same permissions on either key', () => {
    const policiesOf = (stack: Synthesis) => JSON.stringify(stack.propertiesOf('AWS::IAM::Policy'));
    expect(policiesOf(own).replaceAll(JSON.stringify(ownKey), `"${arn}"`)).toBe(policiesOf(given));
  });
});

const ownKey = { 'Fn::GetAtt': [own.idAt('Encryption/Key'), 'Arn'] };

describe('the key of the stack', () => {
  it('rotates every year, is found by the name of the stack, and outlives it unless keepData is false', () => {
    const key = own.at('Encryption/Key');
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(key.Properties['EnableKeyRotation']).toBe(true);
    const { Properties: alias } = own.at('Encryption/Key/Alias');
    expect(alias).toEqual({ AliasName: 'alias/payhooks-production', TargetKeyId: ownKey });
    const thrownAway = synthesise({ ...everySetting, keepData: false, backupRetentionDays: undefined });
    expect(thrownAway.at('Encryption/Key')).toMatchObject({ DeletionPolicy: 'Delete' });
  });

  it('is not usable by the consumer when it is turned off, so that docs/encryption.md permits it for a time', () => {
    const usesKey = (stack: Synthesis) =>
      JSON.stringify(stack.at('Consumer/Function/Role/DefaultPolicy')).includes('kms:Decrypt');
    expect([usesKey(own), usesKey(standard)]).toEqual([true, false]);
    const [, id = 'none'] = /starts_with\(LogicalResourceId, '(\w+)'\)/.exec(page) ?? [];
    const found = own.ofType('AWS::IAM::Role').filter(([name]) => name.startsWith(id));
    expect(found.map(([name]) => name)).toEqual([own.idAt('Consumer/Function/Role')]);
  });

  it('has the policy that docs/encryption.md gives for a key of your own', () => {
    const [, json = ''] = /```json\n(\{\n {2}"Version".*?)```/s.exec(page) ?? [];
    const { policiesOf, arnAt } = readPolicies(own);
    expect([JSON.parse(json)]).toEqual(policiesOf(arnAt('Encryption/Key')));
  });
});
