import { describe, expect, it } from 'vitest';
import { lostData, lostResources, statefulTypes, templateOf } from '../doubles/template-changes.ts';
import { adoptedResources, everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const templateWith = (settings: object) => templateOf(synthesise({ ...settings }));

it('what holds data or has an address keeps its logical id, so that no deployment replaces it', async () => {
  const { Resources } = templateWith(everySetting);
  const ids = Object.entries(Resources)
    .filter(([, { Type }]) => statefulTypes.includes(Type))
    .map(([id, { Type }]) => `${Type} ${id}\n`);
  await expect(ids.sort().join('')).toMatchFileSnapshot('stateful-resources.txt');
});

const { encryptionKeyArn: _, ...withoutKey } = everySetting;
const plain = templateWith(withoutKey);
const encrypted = templateWith(everySetting);

describe('a change of settings', () => {
  it('that adopts tables and secrets leaves those of the stack where they are', () => {
    const adopted = templateWith({ ...everySetting, ...adoptedResources });
    expect(lostResources(encrypted, adopted)).toEqual([
      'AWS::Backup::BackupSelection BackupsPlanTables8D417F20 WILL_REPLACE',
      'AWS::DynamoDB::Table TablesEventsE8DD42EA WILL_ORPHAN',
      'AWS::DynamoDB::Table TablesOrdersACF7C9C0 WILL_ORPHAN',
      'AWS::Lambda::EventSourceMapping OrderFeedMapping2FA26CA7 WILL_REPLACE',
      'AWS::Lambda::Permission SealFunctionLambdaRotation653452F2 WILL_REPLACE',
      'AWS::Lambda::Permission TokenRefreshFunctionLambdaRotation25D3D8C6 WILL_REPLACE',
      'AWS::SecretsManager::RotationSchedule SealSchedule335EFACB WILL_REPLACE',
      'AWS::SecretsManager::RotationSchedule TokenRefreshSchedule8392C38F WILL_REPLACE',
      'AWS::SecretsManager::Secret SealSecretE686D305 WILL_ORPHAN',
      'AWS::SecretsManager::Secret TokenRefreshTokenSecret168E4BCB WILL_ORPHAN',
      'AWS::SecretsManager::Secret VerifierKeySecret9C04C57B WILL_ORPHAN',
    ]);
  });

  it('that turns on a key for everything stored replaces nothing', () => {
    expect(lostData(plain, encrypted)).toEqual([]);
  });

  it('that turns the key off leaves it in the account, and replaces nothing', () => {
    expect(lostResources(encrypted, plain)).toEqual([
      'AWS::KMS::Alias EncryptionKeyAlias1DF1C985 WILL_DESTROY',
      // It encrypts alarms on their way to the topic, and nothing that is stored.
      'AWS::KMS::Key AlarmsKey3C2381B3 WILL_DESTROY',
      'AWS::KMS::Key EncryptionKey3A692D6E WILL_ORPHAN',
    ]);
  });
});
