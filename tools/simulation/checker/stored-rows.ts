import { brotliDecompressSync } from 'node:zlib';
import type { Row } from '../history.ts';
import { meanings } from './meanings.ts';
import type { Mode, SignedEvent } from './signed-body.ts';

/** What the rows of the tables hold, as docs/data.md describes them. */
export type Place = 'event' | 'conflict' | 'quarantine' | 'unrecognised';

/** The row of a signed body. */
export type StoredBody = ReturnType<typeof storedBody>;
/** What an operator decided. */
export type Decision = ReturnType<typeof decisionOf>;
export type StoredRows = ReturnType<typeof storedRows>;

export const bodyKey = (mode: Mode, eventId: string, sha256: string): string =>
  JSON.stringify([mode, eventId, sha256]);
export const transactionKey = (mode: Mode, id: string): string => `${mode}:transaction:${id}`;

export function storedRows(rows: readonly Row[]) {
  const bodies: StoredBody[] = [];
  /** The bytes of bodies with a row of their own, by mode, event id and SHA-256. */
  const ownBodies = new Map<string, Buffer | undefined>();
  /** Event names without a meaning. */
  const names: ReturnType<typeof storedName>[] = [];
  /** By mode and transaction id. */
  const transactions = new Map<string, readonly string[]>();
  /** The rows of acts, next to an event, an order, a name or a body. */
  const acts: ReturnType<typeof actOf>[] = [];
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
    else if (kind === 'name') names.push(storedName(row, mode, id));
  }
  return { bodies, ownBodies, names, transactions, acts };
}

interface Named {
  readonly mode: Mode;
  readonly place: Place;
  /** `undefined` for a body that is no event. */
  readonly eventId: string | undefined;
}

const storedBody = (row: Row, named: Named) => ({
  ...named,
  sha256: hexOf(row, 'body_sha256') ?? '',
  signature: hexOf(row, 'signature'),
  /** The bytes in this row; those of an event may be in a row of their own. */
  body: bytesOf(row),
  /** What some version read in the body. */
  reading: named.eventId === undefined ? undefined : readingOf(row, named.eventId),
  outcome: textOf(row, 'outcome') ?? '',
  reason: textOf(row, 'reason'),
  waiting: waitingOf(row),
  /** Of an event that names no order. */
  assignedOrderIds: textsIn(row, 'assigned_order_ids').toSorted(),
  judged: mapOf(row, 'judged'),
  erased: mapOf(row, 'erased'),
});

const storedName = (row: Row, mode: Mode, name: string) => ({
  ...{ mode, name, waiting: waitingOf(row), judged: mapOf(row, 'judged') },
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

/** `key`: next to what the act is stored. */
const actOf = (row: Row, key: string) => ({ ...decisionOf(row), act: textOf(row, 'act') ?? '', key });

function mapOf(row: Row, attribute: string): Decision | undefined {
  const map = row[attribute]?.['M'] as Row | undefined;
  return map && decisionOf(map);
}

const decisionOf = (row: Row) => ({
  by: textOf(row, 'by') ?? '',
  reason: textOf(row, 'reason') ?? '',
  at: textOf(row, 'at') ?? '',
  verdict: textOf(row, 'verdict'),
  /** Of an admission that outlasts a later dismissal. */
  admittedAt: textOf(row, 'admitted_at'),
  orderId: textOf(row, 'order_id'),
});
