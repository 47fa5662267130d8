import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  AttachRolePolicyCommand,
  AttachUserPolicyCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesise } from '../lib/synthesis.ts';
import { createOrderSystem } from './aws-calls.ts';
import { clientOptions } from './deployment.ts';
import { findMiniStack, type MiniStack, startMiniStack } from './ministack.ts';
import { openTerminalSession } from './terminal-session.ts';

// What an account has to accept before a deployment; nothing is deployed here.
let ministack: MiniStack;
beforeAll(async () => {
  ministack = await startMiniStack();
});
afterAll(() => ministack?.stop());

// MiniStack's CloudFormation uses no role, so the calls that it would send are sent by a user with the policies.
describe('with the execution policy of production, MiniStack', () => {
  let dynamodb: DynamoDBClient;
  let iam: IAMClient;

  beforeAll(async () => {
    const { account, region, folder } = ministack;
    const program = join(import.meta.dirname, '../../tools/execution-policy/main.ts');
    const template = join(folder, 'payhooks-production.template.json');
    writeFileSync(template, JSON.stringify({ Resources: Object.fromEntries(synthesise().resources) }));
    const argv = `--account ${account} --region ${region} --template ${template} --folder ${folder}`;
    const { stdout } = spawnSync(process.execPath, [program, ...argv.split(' ')], { encoding: 'utf8' });
    const root = new IAMClient(clientOptions(ministack));
    const credentials = await createOrderSystem(ministack, 'cloudformation');
    for (const [index, file] of stdout.trim().split('\n').entries()) {
      const PolicyDocument = readFileSync(file, 'utf8').trim();
      const { Policy } = await root.send(
        new CreatePolicyCommand({ PolicyName: `policy-${index}`, PolicyDocument }),
      );
      await root.send(new AttachUserPolicyCommand({ UserName: 'cloudformation', PolicyArn: Policy?.Arn }));
    }
    root.destroy();
    const options = { ...clientOptions(ministack), credentials };
    dynamodb = new DynamoDBClient(options);
    iam = new IAMClient(options);
  });
  afterAll(() => {
    dynamodb?.destroy();
    iam?.destroy();
  });

  const createTable = (TableName: string) =>
    dynamodb.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  const Principal = { Service: 'lambda.amazonaws.com' };
  const Statement = { Effect: 'Allow', Principal, Action: 'sts:AssumeRole' };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  const createRole = (RoleName: string) =>
    iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
  const [ownTable, ownRole] = [
    'payhooks-production-TablesEvents-1A2B',
    'payhooks-production-VerifierRole-1A2B',
  ];
  const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess';

  it('creates a table and a role with names of the stack', async () => {
    expect((await createTable(ownTable)).TableDescription?.TableStatus).toBe('ACTIVE');
    expect((await createRole(ownRole)).Role?.RoleName).toBe(ownRole);
  });

  it.each([
    ['a table of another environment', () => createTable('payhooks-production-eu-TablesEvents-1A2B')],
    ['a table of another application', () => createTable('invoices')],
    ['an administrator role', () => createRole('administrator')],
    [
      'administrator rights for a role of the stack',
      () => iam.send(new AttachRolePolicyCommand({ RoleName: ownRole, PolicyArn })),
    ],
    ['a look at the events', () => dynamodb.send(new ScanCommand({ TableName: ownTable }))],
  ])('refuses %s', async (_, call) => {
    await expect(call()).rejects.toThrow(/is not authorized to perform/);
  });
});

it('KMS accepts the documented key policy, and the documented commands make a key usable again', async () => {
  const { environment, folder, account, region } = ministack;
  const PATH = `${findMiniStack()}/bin:${environment['PATH']}`;
  const terminal = openTerminalSession({ folder, environment: { ...environment, PATH } });
  const type = async (commands: string): Promise<string> => {
    const { code, screen } = await terminal.run(commands);
    if (code !== 0) throw new Error(`Exit code ${code}:\n${commands}\n${screen}`);
    return screen.trim();
  };
  const page = readFileSync(join(import.meta.dirname, '../../docs/encryption.md'), 'utf8');
  const [, policy = ''] = /```json\n(\{\n {2}"Version".*?)```/s.exec(page) ?? [];
  const here = policy.replaceAll('111122223333', account).replaceAll('eu-central-1', region);
  writeFileSync(join(folder, 'policy.json'), here);
  const create = 'aws kms create-key --policy file://policy.json --output text --query KeyMetadata.Arn';
  const keyArn = await type(create);
  const stored = await type(`aws kms get-key-policy --key-id ${keyArn} --output text --query Policy`);
  expect(JSON.parse(stored).Statement).toHaveLength(5);

  const use = `aws kms generate-data-key --key-id ${keyArn} --key-spec AES_256 --output text --query KeyId`;
  expect(await type(use)).toBe(keyArn);
  await type(`aws kms schedule-key-deletion --key-id ${keyArn} --pending-window-in-days 7`);
  await expect(type(use)).rejects.toThrow(/KMSInvalidStateException/);
  const [, commands = ''] = /^### Commands\n+```sh\n(.*?)```/ms.exec(page) ?? [];
  expect(await type(commands.replaceAll('EncryptionKeyArn', keyArn))).toMatch(/PendingDeletion/);
  expect(await type(use)).toBe(keyArn);
});
