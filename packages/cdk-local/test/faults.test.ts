import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { startSqs } from '../src/emulators/sqs.ts';
import { connect, startSecrets } from './harness.ts';

describe('a simulated fault', () => {
  it('of SQS refuses the named operation until it ends, and no other', async () => {
    const emulator = await startSqs();
    const { client } = connect(emulator, SQS);
    const { QueueUrl = '' } = await client.createQueue({ QueueName: 'Events' });
    const send = (MessageBody: string) => client.sendMessage({ QueueUrl, MessageBody });
    const bodies = async () =>
      (await client.receiveMessage({ QueueUrl })).Messages?.map(({ Body }) => Body) ?? [];
    const end = emulator.fail({ operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' });
    await expect(send('one')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(await bodies()).toEqual([]);
    end();
    await send('one');
    expect(await bodies()).toEqual(['one']);
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
    const { emulator, client } = await startSecrets();
    await client.createSecret({ Name: 'Keys', SecretString: 'value' });
    const end = emulator.fail({ status: 400, code: 'AccessDeniedException' });
    const read = () => client.getSecretValue({ SecretId: 'Keys' });
    await expect(read()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    end();
    expect(await read()).toMatchObject({ SecretString: 'value' });
  });
});
