import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createOperationsClient } from '@payhooks/order-client';
import { type LocalProcess, startLocalMode } from '../../local/command/local-process.ts';
import { createInspection, eventually } from '../acceptance/pipeline.ts';
import { freePort } from '../doubles/free-port.ts';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';
import { hostileNotifications } from './hostile.ts';
import { knownNotifications, type Notification } from './known-orders.ts';

export interface LocalConsoleOptions {
  /** What it holds at first; by default the known orders. */
  readonly content?: 'known orders' | 'known and hostile orders' | 'demo' | 'nothing';
  /** Keeps its data in a folder, so that they are there after `stop` and `start`. */
  readonly restarts?: boolean;
}

export type LocalConsole = Awaited<ReturnType<typeof openLocalConsole>>;

/**
 * Local mode in a process of its own, with its console. It keeps its address when it is stopped and started again.
 */
export async function openLocalConsole({
  content = 'known orders',
  restarts = false,
}: LocalConsoleOptions = {}) {
  const directory = restarts ? await mkdtemp(join(tmpdir(), 'payhooks-console-')) : undefined;
  const local = createRestartable([
    ...['--port', String(await freePort()), '--service-port', '0'],
    ...['--private-key', privateKey, '--sandbox-key', sandboxKey],
    ...(directory === undefined ? [] : ['--data-dir', directory]),
    ...(content === 'demo' ? [] : ['--no-demo']),
  ]);
  const { baseUrl, output } = await local.start();
  const requests = requestsTo(baseUrl);
  /** Posts one after the other, so that each finds what the ones before it left. */
  const send = async (...notifications: readonly Notification[]): Promise<void> => {
    const { settled, close } = await lookInto(baseUrl);
    for (const { body, ...how } of notifications) {
      await requests.post(body, how);
      await settled();
    }
    close();
  };
  // The first call of a function may take longer on a busy machine than its requests may: the page would show errors.
  for (const path of ['/orders', '/operations/waiting/counts', '/console/api/status'])
    await eventually(
      () => requests.get(path),
      ({ status }) => status === 200,
    );
  if (content === 'known and hostile orders')
    await Promise.all(hostileNotifications.map(({ body }) => requests.post(body)));
  if (content.startsWith('known')) await send(...knownNotifications);
  if (content === 'demo')
    await eventually(
      async () => output(),
      (text) => text.includes('Open the console'),
    );
  return {
    ...requests,
    ...{ baseUrl, send, start: local.start, stop: local.stop },
    operations: createOperationsClient({ baseUrl, credentials: false }),
    async close(): Promise<void> {
      await local.stop();
      if (directory !== undefined) await rm(directory, { recursive: true });
    },
  };
}

/** A process that always gets the same flags. */
function createRestartable(flags: readonly string[]) {
  const ended = new AbortController();
  let running: LocalProcess | undefined;
  process.once('exit', () => ended.abort());
  return {
    /** Unless it runs. */
    async start(): Promise<LocalProcess> {
      running ??= await startLocalMode(flags, ended.signal);
      return running;
    },
    /** By a signal that lets it finish, unless another one is given. */
    async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
      await running?.kill(signal);
      running = undefined;
    },
  };
}

/** The queues and tables of a local mode, by the addresses that it has since its last start. */
export async function lookInto(baseUrl: string) {
  const { outputs, endpoints, region } = (await (await fetch(`${baseUrl}/stack`)).json()) as StackView;
  const settings = { region, credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  const sqs = new SQSClient({ ...settings, endpoint: endpoints.sqs });
  const dynamodb = new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodb });
  const { EventQueueUrl = '', DeadLetterQueueUrl = '', EventsTableName = '' } = outputs;
  return {
    ...createInspection({
      ...{ sqs, dynamodb, eventsTableName: EventsTableName },
      ...{ eventQueueUrl: EventQueueUrl, deadLetterQueueUrl: DeadLetterQueueUrl },
    }),
    ...{ sqs, dynamodb, outputs, lambdaEndpoint: endpoints.lambda },
    close() {
      sqs.destroy();
      dynamodb.destroy();
    },
  };
}

interface StackView {
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoints: { readonly [service in 'sqs' | 'dynamodb' | 'lambda']: string };
  readonly region: string;
}
