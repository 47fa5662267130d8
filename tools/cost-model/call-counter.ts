import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import type { TableModel } from '@payhooks/cdk-local/emulators';
import { addUsages, gigabyte, queueRequests, type Usage } from './bill.ts';
import * as units from './units.ts';

type Item = units.Item;

/** A write of a table, alone or in a transaction. */
interface WriteRequest {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

interface Request extends WriteRequest {
  /** `Put`, `Update`, `Delete` or `ConditionCheck`. */
  readonly TransactItems?: readonly Readonly<Record<string, WriteRequest>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: Item[] }>>;
  readonly Entries?: readonly Readonly<Record<'Source' | 'DetailType' | 'Detail', string>>[];
  readonly MessageBody?: string;
  readonly MessageAttributes?: object;
}

interface Exchange {
  readonly request: Request;
  readonly found: readonly Item[];
  readonly before: readonly (Item | undefined)[];
  readonly after: readonly (Item | undefined)[];
}

/** The emulators' addresses by the service name that a signature holds. */
type Services = Readonly<Partial<Record<'dynamodb' | 'sqs' | 'secretsmanager' | 'events', string>>>;
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** Starts a proxy before the emulators that records every call; behind TLS, when it gets a certificate. */
export async function startCallCounter(services: Services, tables: readonly TableModel[], tls?: Certificate) {
  const calls: Usage[] = [];
  const repeated: string[] = [];
  const forward: RequestListener = async (incoming, outgoing) => {
    const { headers } = incoming;
    const [, service = ''] = /\/(\w+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
    const [version, operation = ''] = String(headers['x-amz-target']).split('.');
    const request = JSON.parse(await text(incoming)) as Request;
    const send = (name: string, body: object) =>
      post(
        services[service as keyof Services] ?? '',
        { ...headers, 'x-amz-target': `${version}.${name}` },
        body,
      );
    const read = async (key: object): Promise<Item | undefined> =>
      (await send('GetItem', { ...key, ConsistentRead: true })).body.Item;
    if (/attempt=[2-9]/.test(String(headers['amz-sdk-request']))) repeated.push(operation);
    const keys = service === 'dynamodb' ? keysOf(request, tables) : [];
    const before = await Promise.all(keys.map(read));
    const { status, body } = await send(operation, request);
    const after = operation.endsWith('GetItem') ? before : await Promise.all(keys.map(read));
    calls.push(usageOf(operation, { request, found: body.Items ?? [], before, after }, tables));
    // The SDK compares this date with the held clock of this process, and would retry for a wrong clock.
    outgoing.writeHead(status, { date: new Date().toUTCString(), 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(body));
  };
  const secured = tls && createTlsServer({ key: tls.key, cert: tls.certificate }, forward);
  const server = (secured as Server | undefined) ?? createServer(forward);
  const url = await listen(server, { host: 'localhost', port: 0 });
  return {
    ...{ url: tls ? url.replace('http:', 'https:') : url, calls, stop: () => closeServer(server) },
    /** The calls that a function made again, because it got no response in time. */
    repeated,
  };
}

async function post(url: string, headers: IncomingHttpHeaders, request: object) {
  const kept = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const passed = kept.map((name): [string, string] => [name, String(headers[name])]);
  const response = await fetch(url, { method: 'POST', headers: passed, body: JSON.stringify(request) });
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
}

type Schema = readonly { readonly AttributeName: string }[];
export const keyNames = (schema: readonly unknown[] = []): string[] =>
  (schema as Schema).map(({ AttributeName }) => AttributeName);

const writesIn = ({ TransactItems = [] }: Request): readonly WriteRequest[] =>
  TransactItems.flatMap((item) => Object.values(item));

function keysOf(request: Request, tables: readonly TableModel[]): readonly object[] {
  const keyOf = ({ TableName, Item, Key = Item ?? {} }: WriteRequest) => {
    const names = keyNames(tables.find(({ name }) => name === TableName)?.keySchema);
    return { TableName, Key: Object.fromEntries(names.map((name) => [name, Key[name] ?? {}])) };
  };
  if (request.Key ?? request.Item) return [keyOf(request)];
  const read = Object.entries(request.RequestItems ?? {}).flatMap(([TableName, { Keys }]) =>
    Keys.map((Key) => ({ TableName, Key })),
  );
  return [...read, ...writesIn(request).map(keyOf)];
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((total, one) => total + of(one), 0);

function usageOf(operation: string, exchange: Exchange, tables: readonly TableModel[]): Usage {
  const { request, found, before, after } = exchange;
  const isConsistent = JSON.stringify(request).includes('"ConsistentRead":true');
  if (operation === 'SendMessage') {
    const { MessageBody = '', MessageAttributes = {} } = request;
    return { queueRequests: queueRequests(units.textBytes(MessageBody, JSON.stringify(MessageAttributes))) };
  }
  if (operation === 'GetSecretValue') return { secretReads: 1 };
  if (operation === 'PutEvents') {
    // Bus events of the scenarios are below 64 KB; EventBridge adds 14 bytes for a time.
    const { Entries = [] } = request;
    const bytes = sum(Entries, (one) => 14 + units.textBytes(one.Source, one.DetailType, one.Detail));
    return { busEvents: Entries.length, archive: bytes / gigabyte };
  }
  // A query is billed as one read, and no query here filters; every item of a batch is rounded up.
  if (operation === 'Query') return { reads: units.readUnits(sum(found, units.itemBytes), isConsistent) };
  if (operation.endsWith('GetItem'))
    return { reads: sum(before, (item) => units.readUnits(units.itemBytes(item), isConsistent)) };
  if (operation === 'TransactWriteItems') {
    const writes = writesIn(request).map((write, index) =>
      writeOf(write, before[index], after[index], tables),
    );
    // Each is billed twice, to prepare and to commit it, also one that only checks a row; its index once.
    const parts = writes.flatMap(({ indexWrites, ...rows }): [Usage, number][] => [
      [rows, 2],
      [{ indexWrites }, 1],
    ]);
    return addUsages(...parts);
  }
  if (/^(Put|Update)Item$/.test(operation)) return writeOf(request, before[0], after[0], tables);
  // After a failure, which `repeated` shows.
  if (operation === 'ChangeMessageVisibilityBatch') return { queueRequests: 1 };
  throw new Error(`The model has no price for ${operation}.`);
}

function writeOf(
  write: WriteRequest,
  before: Item | undefined,
  after: Item | undefined,
  tables: readonly TableModel[],
) {
  const table = tables.find(({ name }) => name === write.TableName);
  const indexes = (table?.globalIndexes ?? []).map((index): units.Index => {
    const { KeySchema, Projection } = index as {
      KeySchema: Schema;
      Projection?: { NonKeyAttributes?: string[] };
    };
    return {
      keys: keyNames([...(table?.keySchema ?? []), ...KeySchema]),
      copied: Projection?.NonKeyAttributes ?? [],
    };
  });
  // A failed condition is billed too.
  const written = units.writeUnits(units.itemBytes(before), units.itemBytes(write.Item ?? after));
  return {
    // Only the table of orders has a stream.
    [table?.stream ? 'orderWrites' : 'eventWrites']: written,
    indexWrites: sum(indexes, (index) => units.indexWriteUnits(index, before, after)),
  };
}
