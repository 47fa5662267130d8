import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMiniStack, type MiniStack, startMiniStack } from './ministack.ts';
import { openTerminalSession, type TerminalSession } from './terminal-session.ts';

let ministack: MiniStack;
let terminal: TerminalSession;
let page: string;
let keyArn: string;

/** What the commands print; rejects when one of them fails. */
async function type(commands: string): Promise<string> {
  const { code, screen } = await terminal.run(commands);
  if (code !== 0) throw new Error(`Exit code ${code}:\n${commands}\n${screen}`);
  return screen.trim();
}

beforeAll(async () => {
  ministack = await startMiniStack();
  const environment = {
    ...ministack.environment,
    PATH: `${findMiniStack()}/bin:${ministack.environment['PATH']}`,
  };
  terminal = openTerminalSession({ folder: ministack.folder, environment });
  page = await readFile(join(import.meta.dirname, '../../docs/encryption.md'), 'utf8');
  const [, policy = ''] = /```json\n(\{\n {2}"Version".*?)```/s.exec(page) ?? [];
  const here = policy
    .replaceAll('111122223333', ministack.account)
    .replaceAll('eu-central-1', ministack.region);
  await writeFile(join(ministack.folder, 'policy.json'), here);
  keyArn = await type('aws kms create-key --policy file://policy.json --output text --query KeyMetadata.Arn');
});
afterAll(() => ministack?.stop());

it('KMS accepts the documented key policy', async () => {
  const stored = await type(`aws kms get-key-policy --key-id ${keyArn} --output text --query Policy`);
  expect(JSON.parse(stored).Statement).toHaveLength(5);
});

it('the documented commands make a key usable whose deletion was scheduled', async () => {
  const use = `aws kms generate-data-key --key-id ${keyArn} --key-spec AES_256 --output text --query KeyId`;
  expect(await type(use)).toBe(keyArn);
  await type(`aws kms schedule-key-deletion --key-id ${keyArn} --pending-window-in-days 7`);
  await expect(type(use)).rejects.toThrow(/KMSInvalidStateException/);
  const [, commands = ''] = /^### Commands\n+```sh\n(.*?)```/ms.exec(page) ?? [];
  const screen = await type(commands.replaceAll('EncryptionKeyArn', keyArn));
  expect(screen).toMatch(/PendingDeletion/);
  expect(await type(use)).toBe(keyArn);
});
