import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { BusMessage, Delivery, FinalReads, HttpCall, Mode, Row } from '../history.ts';

const modes: readonly Mode[] = ['live', 'sandbox'];

/** All rows of a table. */
export async function scanAll(client: DynamoDBClient, TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    rows.push(...(Items as unknown as Row[]));
  return rows;
}

/** What order systems and operators can read, over HTTP. */
export async function readAll(baseUrl: string, deliveries: readonly Delivery[]): Promise<FinalReads> {
  async function get(path: string, query: Readonly<Record<string, string>>): Promise<HttpCall> {
    const at = Date.now();
    const response = await fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`);
    const outcome = { kind: 'status', status: response.status, body: await response.json() } as const;
    const call = { at, endedAt: Date.now(), caller: 'reader', method: 'GET', path } as const;
    return { ...call, pathParameters: {}, query, body: undefined, outcome };
  }
  const each = (folder: string, field: 'orderId' | 'id'): Promise<HttpCall[]> => {
    const named = deliveries.flatMap(({ mode, meant }) =>
      mode && meant?.[field] ? [[mode, meant[field]]] : [],
    );
    const distinct = new Map(named.map(([mode = '', id = '']) => [`${mode} ${id}`, [mode, id] as const]));
    const reads = [...distinct.values()].map(([mode, id]) =>
      get(`/${folder}/${encodeURIComponent(id)}`, { mode }),
    );
    return Promise.all(reads);
  };
  const waiting: HttpCall[] = [];
  for (const mode of modes) {
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: HttpCall = await get('/operations/waiting', {
        ...{ mode, limit: '100' },
        ...(cursor !== '' && { cursor }),
      });
      waiting.push(page);
      const { body } = page.outcome as { readonly body: { readonly next_cursor: string | null } };
      cursor = body.next_cursor;
    }
  }
  return { orders: await each('orders', 'orderId'), events: await each('events', 'id'), waiting };
}

/** Keeps what is published, from the first message on, until `stop`. */
export function followBus(baseUrl: string) {
  const messages: BusMessage[] = [];
  const stopping = new AbortController();
  const follow = async (mode: Mode): Promise<void> => {
    const headers = { 'last-event-id': '0' };
    const { body } = await fetch(`${baseUrl}/feed?mode=${mode}`, { headers, signal: stopping.signal });
    let text = '';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      messages.push(...lines.filter((line) => line.startsWith('data: ')).map(messageOf));
    }
  };
  const following = Promise.allSettled(modes.map(follow));
  return {
    messages,
    async stop(): Promise<void> {
      stopping.abort();
      await following;
    },
  };
}

function messageOf(line: string): BusMessage {
  const { id, source, detail, ...rest } = JSON.parse(line.slice('data: '.length));
  return { at: Date.now(), id, source, detailType: rest['detail-type'], detail: JSON.stringify(detail) };
}
