import { brotliDecompressSync } from 'node:zlib';
import type { Row } from '../history.ts';
import { meanings } from './meanings.ts';
import type { Mode, SignedEvent } from './signed-body.ts';

/** What the rows of the tables hold, as docs/data.md describes them. */
export type Place = 'event' | 'conflict' | 'quarantine' | 'unrecognised';

/** The row of a signed body. */
export interface StoredBody {
  readonly mode: Mode;
  readonly place: Place;
  /** `undefined` for a body that is no event. */
  readonly eventId: string | undefined;
  readonly sha256: string;
  readonly signature: string | undefined;
  /** The bytes in this row; those of an event may be in a row of their own. */
  readonly body: Buffer | undefined;
  /** What some version read in the body. */
  readonly reading: SignedEvent | undefined;
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly waiting: string | undefined;
  /** Of an event that names no order. */
  readonly assignedOrderIds: readonly string[];
  readonly judged: Decision | undefined;
  readonly erased: Decision | undefined;
}

/** What an operator decided. */
export interface Decision {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  readonly verdict: string | undefined;
  /** Of an admission that outlasts a later dismissal. */
  readonly admittedAt: string | undefined;
  readonly orderId: string | undefined;
}

/** The row of an act, next to an event, an order, a name or a body. */
export interface StoredAct extends Decision {
  readonly act: string;
  /** Next to what it is stored. */
  readonly key: string;
}

export interface StoredRows {
  readonly bodies: readonly StoredBody[];
  /** The bytes of bodies with a row of their own, by mode, event id and SHA-256. */
  readonly ownBodies: ReadonlyMap<string, Buffer | undefined>;
  /** Event names without a meaning. */
  readonly names: readonly {
    readonly mode: Mode;
    readonly name: string;
    readonly waiting: string | undefined;
    readonly judged: Decision | undefined;
  }[];
  /** By mode and transaction id. */
  readonly transactions: ReadonlyMap<string, readonly string[]>;
  readonly acts: readonly StoredAct[];
}

export const bodyKey = (mode: Mode, eventId: string, sha256: string): string =>
  JSON.stringify([mode, eventId, sha256]);
export const transactionKey = (mode: Mode, id: string): string => `${mode}:transaction:${id}`;

export function storedRows(rows: readonly Row[]): StoredRows {
  const bodies: StoredBody[] = [];
  const ownBodies = new Map<string, Buffer | undefined>();
  const names: StoredRows['names'][number][] = [];
  const transactions = new Map<string, readonly string[]>();
  const acts: StoredAct[] = [];
  for (const row of rows) {
    const [key, record] = [textOf(row, 'event_key') ?? '', textOf(row, 'record') ?? ''];
    const [, mode, kind, id = ''] = /^(live|sandbox):(\w+):?(.*)$/su.exec(key) ?? [];
    const [place = '', of = ''] = record.split(':');
    if (mode !== 'live' && mode !== 'sandbox') continue;
    if (place === 'act') acts.push(actOf(row, key));
    else if (place === 'body') ownBodies.set(bodyKey(mode, kind === 'event' ? id : '', of), bytesOf(row));
    else if (kind === 'event' || kind === 'body')
      bodies.push(
        storedBody(row, { mode, eventId: kind === 'event' ? id : undefined, place: place as Place }),
      );
    else if (kind === 'transaction') transactions.set(transactionKey(mode, id), textsIn(row, 'entries'));
    else if (kind === 'name')
      names.push({ mode, name: id, waiting: waitingOf(row), judged: mapOf(row, 'judged') });
  }
  return { bodies, ownBodies, names, transactions, acts };
}

const storedBody = (row: Row, named: Pick<StoredBody, 'mode' | 'eventId' | 'place'>): StoredBody => ({
  ...named,
  sha256: hexOf(row, 'body_sha256') ?? '',
  signature: hexOf(row, 'signature'),
  body: bytesOf(row),
  reading: named.eventId === undefined ? undefined : readingOf(row, named.eventId),
  outcome: textOf(row, 'outcome') ?? '',
  reason: textOf(row, 'reason'),
  waiting: waitingOf(row),
  assignedOrderIds: textsIn(row, 'assigned_order_ids').toSorted(),
  judged: mapOf(row, 'judged'),
  erased: mapOf(row, 'erased'),
});

function readingOf(row: Row, id: string): SignedEvent | undefined {
  const [name, meaning] = [textOf(row, 'event_name'), textOf(row, 'meaning')];
  const optional = (attribute: string): string | null => textOf(row, attribute) ?? null;
  return name === undefined
    ? undefined
    : {
        ...{ id, name, meaning: meanings.find((known) => known === meaning) },
        ...{ orderId: optional('order_id'), transactionId: optional('transaction_id') },
        ...{ amount: optional('amount'), currency: optional('currency'), createdAt: optional('created_at') },
      };
}

/** The kind after the mode, in the attribute that is the key of the index. */
const waitingOf = (row: Row): string | undefined => textOf(row, 'waiting')?.replace(/^\w+:/, '');

export function textOf(row: Row, attribute: string): string | undefined {
  const text = row[attribute]?.['S'];
  return typeof text === 'string' ? text : undefined;
}

function textsIn(row: Row, attribute: string): readonly string[] {
  const texts = row[attribute]?.['SS'];
  return Array.isArray(texts) ? texts.map(String) : [];
}

export const factsOf = (row: Row): readonly string[] => textsIn(row, 'facts');

export const sequenceOf = (row: Row | undefined): number => Number(row?.['sequence']?.['N'] ?? 0);

/** Binary values are base64 in the history. */
function binaryOf(row: Row, attribute: string): Buffer | undefined {
  const binary = row[attribute]?.['B'];
  if (binary === undefined) return undefined;
  return typeof binary === 'string' ? Buffer.from(binary, 'base64') : Buffer.from(binary as Uint8Array);
}

const hexOf = (row: Row, attribute: string): string | undefined => binaryOf(row, attribute)?.toString('hex');

function bytesOf(row: Row): Buffer | undefined {
  const body = binaryOf(row, 'body');
  if (body === undefined || textOf(row, 'body_encoding') === 'identity') return body;
  try {
    return brotliDecompressSync(body);
  } catch {
    // It is never what was sent.
    return Buffer.from('unreadable');
  }
}

const actOf = (row: Row, key: string): StoredAct => ({
  ...decisionOf(row),
  ...{ act: textOf(row, 'act') ?? '', key },
});

function mapOf(row: Row, attribute: string): Decision | undefined {
  const map = row[attribute]?.['M'] as Row | undefined;
  return map && decisionOf(map);
}

const decisionOf = (row: Row): Decision => ({
  by: textOf(row, 'by') ?? '',
  reason: textOf(row, 'reason') ?? '',
  at: textOf(row, 'at') ?? '',
  verdict: textOf(row, 'verdict'),
  admittedAt: textOf(row, 'admitted_at'),
  orderId: textOf(row, 'order_id'),
});
