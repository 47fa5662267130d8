import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { BatchGetItemCommand, type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { closeServer, listen, loopback } from '@payhooks/cdk-local';
import {
  entryOf,
  type Item,
  indexWriteUnits,
  itemBytes,
  type KeysOnlyIndex,
  readUnits,
  writeUnits,
} from './capacity.ts';

/** One call of DynamoDB, in the units that AWS bills. */
export interface DatabaseCall {
  readonly operation: string;
  /** The logical id of the table. */
  readonly table: string;
  readonly readUnits: number;
  readonly tableWriteUnits: number;
  readonly indexWriteUnits: number;
  /** A condition that did not hold: nothing was written, and it is billed all the same. */
  readonly refused: boolean;
  /** Bytes of the item after a write, or of what was read. */
  readonly bytes: number;
  /** Bytes of the entries that the item has in indexes after a write. */
  readonly indexBytes: number;
}

export interface CountedTable {
  readonly name: string;
  readonly keyNames: readonly string[];
  readonly indexes: readonly KeysOnlyIndex[];
}

interface Body {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ConsistentRead?: boolean;
  readonly ReturnValuesOnConditionCheckFailure?: string;
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: Item[]; readonly ConsistentRead?: boolean }>
  >;
}

/**
 * Stands between the functions and dynalite, and counts each call. It also hands over the row that stood in the
 * way of a conditional write, which dynalite does not, so that the functions call as often as on AWS.
 */
export async function startCountingDynamoDb(
  { endpoint, client }: { readonly endpoint: string; readonly client: DynamoDBClient },
  tables: readonly CountedTable[],
) {
  const calls: DatabaseCall[] = [];
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const sent = await text(request);
    const body = JSON.parse(sent) as Body;
    const before = await keptItem(client, tables, body);
    const answer = await forward(endpoint, request, sent);
    const after = await keptItem(client, tables, body);
    const refused = answer.status === 400 && /ConditionalCheckFailed/.test(answer.text);
    if (answer.status !== 200 && !refused) throw new Error(`${operation}: ${answer.text}`);
    calls.push(
      ...(await count(client, tables, { operation, body, before, after, refused, answer: answer.text })),
    );
    const handsOver = refused && body.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    const said = handsOver ? JSON.stringify({ ...JSON.parse(answer.text), Item: wire(before) }) : answer.text;
    // The time of this process, which is held: the SDK takes another one for a wrong clock, and tries again.
    const date = new Date().toUTCString();
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0', date }).end(said);
  });
  const own = await listen(server, { host: loopback, port: 0 });
  return { endpoint: own, calls, close: () => closeServer(server) };
}

async function forward(endpoint: string, { headers }: IncomingMessage, body: string) {
  const kept = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const passed = kept.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const answer = await fetch(endpoint, { method: 'POST', headers: passed, body });
  return { status: answer.status, text: await answer.text() };
}

/** The whole item that a call is about, whatever the call asks of it. */
async function keptItem(
  client: DynamoDBClient,
  tables: readonly CountedTable[],
  { TableName, Item, Key }: Body,
): Promise<Item | undefined> {
  const source = Key ?? Item;
  const table = tables.find(({ name }) => name === TableName);
  if (source === undefined || table === undefined) return undefined;
  const key = Object.fromEntries(table.keyNames.map((name) => [name, source[name]])) as Item;
  return (await client.send(new GetItemCommand({ TableName, Key: { ...key }, ConsistentRead: true }))).Item;
}

interface Seen {
  readonly operation: string;
  readonly body: Body;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly refused: boolean;
  readonly answer: string;
}

async function count(
  client: DynamoDBClient,
  tables: readonly CountedTable[],
  seen: Seen,
): Promise<DatabaseCall[]> {
  const { operation, body, before, after, refused } = seen;
  const call = {
    operation,
    table: body.TableName,
    refused,
    readUnits: 0,
    tableWriteUnits: 0,
    indexWriteUnits: 0,
    indexBytes: 0,
  };
  if (operation === 'PutItem' || operation === 'UpdateItem') {
    const [old, next] = [bytesOf(before), bytesOf(body.Item ?? after)];
    const indexes = tables.find(({ name }) => name === body.TableName)?.indexes ?? [];
    const indexUnits = indexes.reduce((sum, index) => sum + indexWriteUnits(index, before, after), 0);
    const indexBytes = indexes.reduce((sum, index) => sum + bytesOf(entryOf(index.attributes, after)), 0);
    return [
      {
        ...call,
        tableWriteUnits: writeUnits(old, next),
        indexWriteUnits: indexUnits,
        bytes: next,
        indexBytes,
      },
    ];
  }
  if (operation === 'GetItem') {
    const bytes = bytesOf(before);
    return [{ ...call, readUnits: readUnits(bytes, body.ConsistentRead === true), bytes }];
  }
  if (operation === 'Query') {
    // Bills what it reads as one; nothing here filters, so that is what it answers.
    const { Items = [] } = JSON.parse(seen.answer) as { Items?: Item[] };
    const bytes = Items.reduce((sum, item) => sum + itemBytes(item), 0);
    return [{ ...call, readUnits: readUnits(bytes, body.ConsistentRead === true), bytes }];
  }
  if (operation === 'BatchGetItem') return countBatch(client, body);
  throw new Error(`The model does not know what ${operation} costs.`);
}

/** Each item is rounded up on its own, and the attributes that are left out are billed. */
async function countBatch(client: DynamoDBClient, { RequestItems = {} }: Body): Promise<DatabaseCall[]> {
  const calls = Object.entries(RequestItems).map(async ([table, { Keys, ConsistentRead = false }]) => {
    const command = new BatchGetItemCommand({
      RequestItems: { [table]: { Keys: Keys.map((key) => ({ ...key })) } },
    });
    const items = (await client.send(command)).Responses?.[table] ?? [];
    const sizes = [...items.map(itemBytes), ...Array.from({ length: Keys.length - items.length }, () => 0)];
    return {
      operation: 'BatchGetItem',
      table,
      refused: false,
      readUnits: sizes.reduce((sum, bytes) => sum + readUnits(bytes, ConsistentRead), 0),
      tableWriteUnits: 0,
      indexWriteUnits: 0,
      indexBytes: 0,
      bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    };
  });
  return Promise.all(calls);
}

const bytesOf = (item: Item | undefined): number => (item === undefined ? 0 : itemBytes(item));

/** As it goes over the wire: bytes as base64. */
function wire(item: Item | undefined): object {
  const entries = Object.entries(item ?? {}).map(([name, { B, ...rest }]) => [
    name,
    B === undefined ? rest : { B: Buffer.from(B).toString('base64') },
  ]);
  return Object.fromEntries(entries);
}
