import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { startSqs } from '../src/emulators/sqs.ts';
import { connect } from './harness.ts';

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
});
