import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import autocannon from 'autocannon';
import { createEventScan } from '../../lambdas/aws/event-rows.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { parseFact } from '../../lambdas/domain/fact.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import type { ScanPosition } from '../../lambdas/ports/scans.ts';
import { startLocalMode } from '../../local/command/local-process.ts';
import { messagesIn } from '../drill/settled.ts';
import { countsOf, faultsOf, type Recorded } from './judgement.ts';

export interface Load {
  readonly seconds: number;
  /** How many webhooks are under way at a time. */
  readonly connections: number;
  /** Webhooks per second that are offered; as many as the connections can send by default. */
  readonly rate: number | undefined;
}

/** As long as a patient sender waits. */
const timeout = 30;
const pollMilliseconds = 100;
/** A failed batch comes back after its visibility timeout of some minutes. */
const drainSecondsMax = 900;

/** Sends webhooks to a local mode of its own, lets its queue drain, and judges what is recorded. */
export async function runLoad(load: Load) {
  const privateKey = `pri_${crypto.randomUUID()}`;
  const local = await startLocalMode(['--no-demo', '--private-key', privateKey]);
  const stack = await openStack(local.baseUrl);
  // Resident memory, by a command that Linux and macOS have.
  const megabytes = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', `${local.pid}`])) / 1_000;
  try {
    const memory = [megabytes()];
    let waitingMost = 0;
    const look = async (): Promise<number> => {
      const waiting = await stack.waiting();
      waitingMost = Math.max(waitingMost, waiting);
      return waiting;
    };
    const sending = send(load, { ...stack, privateKey });
    const watch = setInterval(look, 1_000);
    const { sent, acknowledged, result } = await sending.finally(() => clearInterval(watch));
    const since = performance.now();
    const drained = () => (performance.now() - since) / 1_000;
    while ((await look()) > 0 && drained() < drainSecondsMax) await pause(pollMilliseconds);
    memory.push(megabytes());
    const drainSeconds = drained();
    const recorded = await stack.recorded();
    const faults = faultsOf(sent, acknowledged, recorded);
    const compared = performance.now();
    const verify = [
      join(import.meta.dirname, '../../bin/payhooks.cjs'),
      'rebuild',
      '--verify',
      '--local',
      local.baseUrl,
    ];
    execFileSync(process.execPath, verify, { stdio: ['ignore', 'ignore', 'inherit'] });
    const verifySeconds = (performance.now() - compared) / 1_000;
    return { result, sent, acknowledged, recorded, faults, waitingMost, drainSeconds, verifySeconds, memory };
  } finally {
    stack.close();
    await local.kill('SIGTERM');
  }
}

/** Signed webhooks, each of an event and an order of its own. */
async function send(
  { seconds, connections, rate }: Load,
  to: Awaited<ReturnType<typeof openStack>> & { privateKey: string },
) {
  const key = createSigningKey(to.privateKey);
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  const result = await autocannon({
    url: to.webhookUrl,
    ...{ connections, timeout, duration: seconds, ...(rate !== undefined && { overallRate: rate }) },
    requests: [
      {
        method: 'POST',
        // One webhook at a time is under way on a connection, and the context is the connection's.
        setupRequest(request, context: { eventId?: string }) {
          const event = paidEvent({ orderId: `load-${sent.size + 1}` });
          const body = Buffer.from(bytesOf(event));
          context.eventId = event.id;
          sent.add(event.id);
          const headers = { 'content-type': 'application/json', [to.signatureHeader]: sign(key, body) };
          return { ...request, headers, body };
        },
        onResponse(status, _body, { eventId }: { eventId?: string }) {
          if (status === 202 && eventId !== undefined) acknowledged.add(eventId);
        },
      },
    ],
  });
  return { sent, acknowledged, result };
}

interface StackView {
  readonly outputs: Readonly<
    Record<'WebhookUrl' | 'SignatureHeader' | 'EventQueueUrl' | 'EventsTableName' | 'OrdersTableName', string>
  >;
  readonly endpoints: { readonly sqs: string; readonly dynamodb: string };
  readonly region: string;
}

/** The queue and the tables of local mode, from outside. */
async function openStack(baseUrl: string) {
  const { outputs, endpoints, region } = (await (await fetch(`${baseUrl}/stack`)).json()) as StackView;
  const aws = { region, credentials: { accessKeyId: 'load', secretAccessKey: 'load' } };
  const sqs = new SQSClient({ ...aws, endpoint: endpoints.sqs });
  const dynamodb = new DynamoDBClient({ ...aws, endpoint: endpoints.dynamodb });
  const events = createEventScan({ client: dynamodb, name: outputs.EventsTableName });
  const orders = createOrderTable({ client: dynamodb, name: outputs.OrdersTableName });
  return {
    webhookUrl: outputs.WebhookUrl,
    signatureHeader: outputs.SignatureHeader,
    /** How many acknowledged events are not recorded yet. */
    waiting: () => messagesIn(sqs, outputs.EventQueueUrl),
    async recorded(): Promise<Recorded> {
      const rows = await pagesOf((after?: ScanPosition) => events.page({ mode: 'live', after }));
      const facts = await pagesOf((after?: string) => orders.page({ mode: 'live', after }));
      const idsOfFacts = facts
        .flatMap((page) => page.orders.flatMap((order) => order.facts.map(parseFact)))
        .flatMap((fact) => ('eventId' in fact ? [fact.eventId] : []));
      return {
        rows: countsOf(rows.flatMap((page) => page.events.map(({ eventId }) => eventId))),
        facts: countsOf(idsOfFacts),
      };
    },
    close(): void {
      sqs.destroy();
      dynamodb.destroy();
    },
  };
}

async function pagesOf<Page extends { readonly next?: Position | undefined }, Position>(
  read: (after?: Position) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages = [await read()];
  for (let after = pages[0]?.next; after !== undefined; after = pages.at(-1)?.next)
    pages.push(await read(after));
  return pages;
}
