import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type AwsCall, addUsages, gigabyte, queueRequests } from './bill.ts';
import { closeServer, type Endpoints, listen, type TableModel } from './payhooks.ts';
import { entryOf, type Item, indexWriteUnits, itemBytes, readUnits, textBytes, writeUnits } from './units.ts';

/** A write of a transaction: `Put`, `Update`, `Delete` or `ConditionCheck`. */
type TransactItem = Readonly<Record<string, WriteRequest>>;

interface Request {
  readonly TableName: string;
  readonly TransactItems?: readonly TransactItem[];
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ReturnValuesOnConditionCheckFailure?: string;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: Item[] }>>;
  readonly Entries?: readonly Readonly<Record<'Source' | 'DetailType' | 'Detail', string>>[];
  readonly MessageBody?: string;
  readonly MessageAttributes?: object;
}

interface Exchange {
  readonly operation: string;
  readonly request: Request;
  readonly found: readonly Item[];
  readonly before: readonly (Item | undefined)[];
  readonly after: readonly (Item | undefined)[];
}

/**
 * Starts a proxy before the emulators that records every call. After a failed condition it adds the existing
 * row to the response, as AWS does and dynalite does not: the functions then make the same calls as on AWS.
 */
export async function startCallCounter(emulators: Endpoints, tables: readonly TableModel[]) {
  const calls: AwsCall[] = [];
  const { dynamodb, sqs, secretsManager: secretsmanager, eventBridge: events } = emulators;
  const urls: Readonly<Record<string, string>> = { dynamodb, sqs, secretsmanager, events };
  const server = createServer(async (incoming, outgoing) => {
    const { headers } = incoming;
    const [, service = ''] = /\/(\w+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
    const [version, operation = ''] = String(headers['x-amz-target']).split('.');
    const request = JSON.parse(await text(incoming)) as Request;
    const send = (name: string, body: object) =>
      post(urls[service] ?? '', { ...headers, 'x-amz-target': `${version}.${name}` }, body);
    const read = async (key: object): Promise<Item | undefined> =>
      (await send('GetItem', { ...key, ConsistentRead: true })).body.Item;
    const keys = service === 'dynamodb' ? keysOf(request, tables) : [];
    const before = await Promise.all(keys.map(read));
    const { status, body } = await send(operation, request);
    const refused = /ConditionalCheckFailed|TransactionCanceled/.test(body.__type);
    if (status !== 200 && !refused) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    const after = await Promise.all(keys.map(read));
    calls.push(callOf({ operation, request, found: body.Items ?? [], before, after }, tables));
    const addsRow = refused && request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    // The SDK compares this date with the held clock of this process, and would retry for a wrong clock.
    outgoing.writeHead(status, { date: new Date().toUTCString(), 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(addsRow ? { ...body, Item: before[0] } : body));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  const endpoints = { dynamodb: url, sqs: url, secretsManager: url, eventBridge: url };
  return { endpoints, calls, stop: () => closeServer(server) };
}

async function post(url: string, headers: IncomingHttpHeaders, request: object) {
  const kept = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const passed = kept.map((name): [string, string] => [name, String(headers[name])]);
  const response = await fetch(url, { method: 'POST', headers: passed, body: JSON.stringify(request) });
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
}

export const keyNames = (schema: readonly unknown[] = []): string[] =>
  (schema as readonly { readonly AttributeName: string }[]).map(({ AttributeName }) => AttributeName);

type WriteRequest = Pick<Request, 'TableName' | 'Item' | 'Key'>;

const writesIn = ({ TransactItems = [] }: Request): readonly WriteRequest[] =>
  TransactItems.flatMap((item) => Object.values(item));

function keysOf(request: Request, tables: readonly TableModel[]): readonly WriteKey[] {
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

type WriteKey = Pick<WriteRequest, 'TableName' | 'Key'>;

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((total, one) => total + of(one), 0);

/** Bus events of the scenarios are below 64 KB; EventBridge adds 14 bytes for a time. */
function callOf(exchange: Exchange, tables: readonly TableModel[]): AwsCall {
  const { operation, request, found, before, after } = exchange;
  const units = (bytes: number): number =>
    readUnits(bytes, JSON.stringify(request).includes('"ConsistentRead":true'));
  const { Entries = [] } = request;
  if (operation === 'SendMessage') {
    const { MessageBody = '', MessageAttributes = {} } = request;
    const sent = textBytes(MessageBody, JSON.stringify(MessageAttributes));
    return { operation, usage: { queueRequests: queueRequests(sent) } };
  }
  if (operation === 'GetSecretValue') return { operation, usage: { secretReads: 1 } };
  if (operation === 'PutEvents') {
    const bytes = sum(Entries, (one) => 14 + textBytes(one.Source, one.DetailType, one.Detail));
    return { operation, usage: { busEvents: Entries.length, archive: bytes / gigabyte } };
  }
  // A query is billed as one read, and no query here filters; every item of a batch is rounded up.
  if (operation === 'Query') return { operation, usage: { reads: units(sum(found, itemBytes)) } };
  if (operation.endsWith('GetItem'))
    return { operation, usage: { reads: sum(before, (item) => units(itemBytes(item))) } };
  if (operation === 'TransactWriteItems') {
    const writes = writesIn(request).map((write, index) =>
      writeOf({ write, before: before[index], after: after[index] }, tables),
    );
    // Each is billed twice, to prepare and to commit it, also one that only checks a row; its index once.
    const twice = writes.map(({ usage }) => [usage, 2] as const);
    const once = writes.map(({ usage }) => [{ indexWrites: usage.indexWrites }, -1] as const);
    return { operation, usage: addUsages(...twice, ...once) };
  }
  if (!/^(Put|Update)Item$/.test(operation)) throw new Error(`The model has no price for ${operation}.`);
  return { operation, ...writeOf({ write: request, before: before[0], after: after[0] }, tables) };
}

interface Write {
  readonly write: WriteRequest;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

function writeOf({ write, before, after }: Write, tables: readonly TableModel[]) {
  const { TableName, Key, Item } = write;
  const table = tables.find(({ name }) => name === TableName);
  const schemas = (table?.globalIndexes ?? []) as readonly { readonly KeySchema: readonly unknown[] }[];
  const indexes = schemas.map((index) => keyNames([...(table?.keySchema ?? []), ...index.KeySchema]));
  const bytes = itemBytes(Item ?? after);
  // A failed condition is billed too. Only the table of orders has a stream.
  const writes = { [table?.stream ? 'orderWrites' : 'eventWrites']: writeUnits(itemBytes(before), bytes) };
  const indexWrites = sum(indexes, (names) => indexWriteUnits(names, before, after));
  const indexBytes = sum(indexes, (names) => itemBytes(entryOf(names, after)));
  const [partitionKey = ''] = keyNames(table?.keySchema);
  const key = (Key ?? Item)?.[partitionKey]?.S ?? '';
  return { usage: { ...writes, indexWrites }, key, itemBytes: bytes, indexBytes };
}
