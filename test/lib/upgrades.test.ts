import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lostData, lostResources, templateOf } from '../doubles/template-changes.ts';
import { asText, openFunctions, type Recorded, recordRows } from '../releases/release.ts';
import { adoptedResources, everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const folder = join(import.meta.dirname, '../releases');
const templateWith = (settings: object) => templateOf(synthesise({ ...settings }));

/** `npm run record-release`: what this version leaves, for the tests of the next ones. */
const recorded = process.env['RECORD_RELEASE'];
if (recorded !== undefined) {
  it('is recorded', async () => {
    const place = join(folder, recorded);
    const rows = await recordRows();
    mkdirSync(place, { recursive: true });
    const write = (file: string, content: object): void =>
      writeFileSync(join(place, file), `${JSON.stringify(content, asText, 1)}\n`);
    write('rows.json', rows);
    write('template.json', templateWith(everySetting));
    expect(existsSync(join(place, 'rows.json'))).toBe(true);
  });
}

const versions = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const read = (version: string, file: string) => JSON.parse(readFileSync(join(folder, version, file), 'utf8'));

describe.each(versions)('an upgrade from %s', (version) => {
  it('shows every order and event as that version did; fields may be new', async () => {
    const recorded: Recorded = read(version, 'rows.json');
    const functions = await openFunctions(recorded);
    expect(await functions.responses()).toMatchObject(recorded.responses);
    await functions.close();
  });

  it('reads every row, and every order is what its events make of it', async () => {
    const functions = await openFunctions(read(version, 'rows.json'));
    let cursor: unknown;
    do {
      const { differences, next_cursor } = await functions.act('verify', cursor ? { cursor } : {});
      expect(differences).toEqual([]);
      cursor = next_cursor;
    } while (cursor !== null);
    await functions.close();
  });

  it('replaces, deletes or abandons no resource that holds data or has an address', () => {
    expect(lostData(read(version, 'template.json'), templateWith(everySetting))).toEqual([]);
  });
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
