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
import { type MiniStack, startMiniStack } from './ministack.ts';

let ministack: MiniStack;
let dynamodb: DynamoDBClient;
let iam: IAMClient;

// MiniStack's CloudFormation uses no role, so the calls that it would send are sent by a user with the policies.
beforeAll(async () => {
  ministack = await startMiniStack();
  const { account, region, folder } = ministack;
  const program = join(import.meta.dirname, '../../tools/execution-policy/main.ts');
  const template = join(folder, 'payhooks-production.template.json');
  writeFileSync(template, JSON.stringify({ Resources: Object.fromEntries(synthesise().resources) }));
  const argv = [
    program,
    '--account',
    account,
    '--region',
    region,
    '--template',
    template,
    '--folder',
    folder,
  ];
  const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
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
afterAll(async () => {
  dynamodb?.destroy();
  iam?.destroy();
  await ministack?.stop();
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
const createRole = (RoleName: string) =>
  iam.send(
    new CreateRoleCommand({
      RoleName,
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: {
          Effect: 'Allow',
          Principal: { Service: 'lambda.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      }),
    }),
  );

describe('with the execution policy of production, MiniStack', () => {
  it('creates a table and a role with names of the stack', async () => {
    const { TableDescription } = await createTable('payhooks-production-TablesEvents-1A2B');
    expect(TableDescription?.TableStatus).toBe('ACTIVE');
    const { Role } = await createRole('payhooks-production-VerifierFunctionRole-1A2B');
    expect(Role?.RoleName).toBe('payhooks-production-VerifierFunctionRole-1A2B');
  });

  it.each([
    ['a table of another environment', () => createTable('payhooks-production-eu-TablesEvents-1A2B')],
    ['a table of another application', () => createTable('invoices')],
    ['an administrator role', () => createRole('administrator')],
    [
      'administrator rights for a role of the stack',
      () =>
        iam.send(
          new AttachRolePolicyCommand({
            RoleName: 'payhooks-production-VerifierFunctionRole-1A2B',
            PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess',
          }),
        ),
    ],
    [
      'a look at the events',
      () => dynamodb.send(new ScanCommand({ TableName: 'payhooks-production-TablesEvents-1A2B' })),
    ],
  ])('refuses %s', async (_, call) => {
    await expect(call()).rejects.toThrow(/is not authorized to perform/);
  });
});
