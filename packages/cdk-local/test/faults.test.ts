import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { startSecretsManager } from '../src/emulators/secrets-manager.ts';
import { startSqs } from '../src/emulators/sqs.ts';
import { connect } from './harness.ts';

describe('a simulated fault', () => {
  it('of SQS refuses the named operation until it ends, and no other', async () => {
    const emulator = await startSqs();
    const { client } = connect(emulator, SQS);
    const { QueueUrl } = await client.createQueue({ QueueName: 'Events' });
    const end = emulator.fail({ operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' });
    const send = () => client.sendMessage({ QueueUrl, MessageBody: 'one' });
    await expect(send()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect((await client.receiveMessage({ QueueUrl })).Messages).toBeUndefined();
    end();
    await send();
    expect((await client.receiveMessage({ QueueUrl })).Messages).toMatchObject([{ Body: 'one' }]);
  });

  it('of DynamoDB refuses every operation when it names none', async () => {
    const emulator = await startDynamoDb();
    const { client } = connect(emulator, DynamoDB);
    const end = emulator.fail({ status: 500, code: 'InternalServerError' });
    await expect(client.listTables()).rejects.toMatchObject({ name: 'InternalServerError' });
    end();
    expect((await client.listTables()).TableNames).toEqual([]);
  });

  it('of Secrets Manager reaches the SDK as the exception of its code', async () => {
    const emulator = await startSecretsManager();
    const { client } = connect(emulator, SecretsManager);
    await client.createSecret({ Name: 'Keys', SecretString: 'value' });
    const end = emulator.fail({ status: 400, code: 'AccessDeniedException' });
    const read = () => client.getSecretValue({ SecretId: 'Keys' });
    await expect(read()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    end();
    expect(await read()).toMatchObject({ SecretString: 'value' });
  });
});
