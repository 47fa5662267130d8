import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmulatorPaths, type Emulators, startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import type { StackModel } from '../src/template/model.ts';
import { type Changes, readSample } from './sample-template.ts';

const modelFor = ({ endpoints }: Emulators, changes?: Changes): StackModel =>
  readSample(changes, { sqsEndpoint: endpoints.sqs });

describe('the resources of a data directory', () => {
  let directory: string;
  let paths: EmulatorPaths;
  let running: Emulators;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    paths = {
      dynamodb: join(directory, 'dynamodb'),
      sqs: join(directory, 'sqs'),
      secretsFile: join(directory, 'secrets.json'),
      eventsFile: join(directory, 'event-bridge.db'),
    };
  });
  afterEach(() => running.close());
  afterAll(() => rm(directory, { recursive: true }));

  const queueUrl = (name: string): string => `${running.endpoints.sqs}/000000000000/${name}`;

  it('are created, and hold what is written', async () => {
    running = await startEmulators(paths);
    await createResources(modelFor(running), running);
    const Item = { id: { S: 'order-1' }, status: { S: 'paid' } };
    await running.clients.dynamodb.send(new PutItemCommand({ TableName: 'Orders', Item }));
    await running.clients.sqs.send(
      new SendMessageCommand({ QueueUrl: queueUrl('Events'), MessageBody: 'kept' }),
    );
  });

  it('are there after a restart, and queues take changed settings', async () => {
    running = await startEmulators(paths);
    const queue = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } };
    await createResources(modelFor(running, { Events: queue }), running);
    const { Item } = await running.clients.dynamodb.send(
      new GetItemCommand({ TableName: 'Orders', Key: { id: { S: 'order-1' } } }),
    );
    expect(Item).toEqual({ id: { S: 'order-1' }, status: { S: 'paid' } });
    const QueueUrl = queueUrl('Events');
    const { Messages } = await running.clients.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages?.map(({ Body }) => Body)).toEqual(['kept']);
    const { Attributes } = await running.clients.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['VisibilityTimeout'] }),
    );
    expect(Attributes).toEqual({ VisibilityTimeout: '60' });
  });

  it('refuse a table whose keys have changed', async () => {
    running = await startEmulators(paths);
    const table = {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
      },
    };
    await expect(createResources(modelFor(running, { Orders: table }), running)).rejects.toThrow(
      'The data directory holds a table Orders with other keys',
    );
  });
});

describe('the tables', () => {
  it('outlive a client that goes away in the middle of a request', async () => {
    const running = await startEmulators();
    const socket = connect(Number(new URL(running.endpoints.dynamodb).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    // The request must have arrived before its client leaves.
    await fetch(running.endpoints.dynamodb);
    socket.resetAndDestroy();
    const response = await fetch(running.endpoints.dynamodb);
    await running.close();
    expect(response.status).toBe(200);
  });
});
