import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import { temporaryDirectory } from './harness.ts';
import { type Changes, changed, readSample } from './sample-template.ts';

async function start(directory?: string, changes?: Changes) {
  const emulators = await startEmulators(directory);
  const { sqs: sqsEndpoint } = emulators.endpoints;
  const create = () => createResources(readSample(changes, { sqsEndpoint }), emulators);
  return { ...emulators, create };
}

describe('the resources of a data directory', () => {
  it('keep rows over a restart, and queues take changed settings', async () => {
    const directory = await temporaryDirectory();
    const first = await start(directory);
    await first.create();
    const Item = { id: { S: 'order-1' }, status: { S: 'paid' } };
    await first.clients.dynamodb.putItem({ TableName: 'Orders', Item });
    await first.close();

    const second = await start(directory, changed('Events', { VisibilityTimeout: 60 }));
    onTestFinished(second.close);
    await second.create();
    const { dynamodb, sqs } = second.clients;
    const get = { TableName: 'Orders', Key: { id: { S: 'order-1' } } };
    expect((await dynamodb.getItem(get)).Item).toEqual(Item);
    const QueueUrl = `${second.endpoints.sqs}/000000000000/Events`;
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['VisibilityTimeout'] });
    expect(Attributes).toEqual({ VisibilityTimeout: '60' });
  });

  it('refuse a table whose keys have changed', async () => {
    const directory = await temporaryDirectory();
    const first = await start(directory);
    await first.create();
    await first.close();
    const keys = {
      AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
    };
    const second = await start(directory, changed('Orders', keys));
    onTestFinished(second.close);
    await expect(second.create()).rejects.toThrow('The data directory holds a table Orders with other keys');
  });
});

describe('the DynamoDB emulator', () => {
  it('survives a client that disconnects in the middle of a request', async () => {
    const { endpoints, close } = await start();
    onTestFinished(close);
    const socket = connect(Number(new URL(endpoints.dynamodb).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    // The request must have arrived before its client disconnects.
    await fetch(endpoints.dynamodb);
    socket.resetAndDestroy();
    expect((await fetch(endpoints.dynamodb)).status).toBe(200);
  });
});
