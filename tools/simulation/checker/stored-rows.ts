import { inflateSync } from 'node:zlib';
import type { Row } from '../history.ts';
import {
  type CompactFact,
  compactFact,
  factText,
  isCompact,
  unpackedBody,
  wholeFact,
} from './compact-form.ts';
import type { Mode } from './signed-body.ts';

/** What the rows of the tables hold in either form, as docs/data.md describes them. */
export type Place = 'event' | 'variant' | 'conflict' | 'quarantine' | 'unrecognised';

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
  /** What counts of the event, next to its body. */
  readonly fact: string | undefined;
  /** The order that the body names. */
  readonly orderId: string | undefined;
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly waiting: string | undefined;
  readonly assignedOrderId: string | undefined;
  readonly judged: Decision | undefined;
  readonly erased: Decision | undefined;
}

/** What an operator decided. */
export interface Decision {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  readonly verdict: string | undefined;
  readonly orderId: string | undefined;
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
  readonly acts: readonly (Decision & { readonly act: string; readonly key: string })[];
}

export const bodyKey = (mode: Mode, eventId: string, sha256: string): string =>
  JSON.stringify([mode, eventId, sha256]);

export function storedRows(rows: readonly Row[]): StoredRows {
  const bodies: StoredBody[] = [];
  const ownBodies = new Map<string, Buffer | undefined>();
  const names: StoredRows['names'][number][] = [];
  const acts: StoredRows['acts'][number][] = [];
  for (const row of rows) {
    const [key, record] = [textOf(row, 'event_key') ?? '', textOf(row, 'record') ?? ''];
    const [, mode, kind, id = ''] = /^(live|sandbox):(\w+):?(.*)$/su.exec(key) ?? [];
    const [place = '', of = ''] = record.split(':');
    if (mode !== 'live' && mode !== 'sandbox') continue;
    if (place === 'act') acts.push({ ...decisionOf(row), act: textOf(row, 'act') ?? '', key });
    else if (place === 'body') ownBodies.set(bodyKey(mode, kind === 'event' ? id : '', of), bytesOf(row));
    else if (kind === 'event' || kind === 'body')
      bodies.push(
        storedBody(row, { mode, eventId: kind === 'event' ? id : undefined, place: place as Place }),
      );
    else if (kind === 'name')
      names.push({ mode, name: id, waiting: waitingOf(row), judged: mapOf(row, 'judged') });
  }
  return { bodies, ownBodies, names, acts };
}

const storedBody = (row: Row, named: Pick<StoredBody, 'mode' | 'eventId' | 'place'>): StoredBody => ({
  ...named,
  sha256: textOf(row, 'body_sha256') ?? hexOf(row, 'h') ?? '',
  signature: hexOf(row, isCompact(row) ? 's' : 'signature'),
  body: bytesOf(row),
  fact: textOf(row, 'fact') ?? readOr(() => compactFactText(row), unreadable),
  orderId: textOf(row, isCompact(row) ? 'o' : 'order_id'),
  outcome: textOf(row, 'outcome') ?? '',
  reason: textOf(row, 'reason'),
  waiting: waitingOf(row),
  assignedOrderId: textOf(row, 'assigned_order_id'),
  judged: mapOf(row, 'judged'),
  erased: mapOf(row, 'erased'),
});

/** The kind after the mode, in the attribute that is the key of the index. */
const waitingOf = (row: Row): string | undefined => textOf(row, 'waiting')?.replace(/^\w+:/, '');

export function textOf(row: Row, attribute: string): string | undefined {
  const text = row[attribute]?.['S'];
  return typeof text === 'string' ? text : undefined;
}

/** The facts of an order's row: each once, also one that it has in both forms. */
export function factsOf(row: Row): readonly string[] {
  const facts = row['facts']?.['SS'];
  return Array.isArray(facts) ? [...new Set(facts.map((fact) => wholeFact(String(fact))))] : [];
}

/** Binary values are base64 in the history. */
function binaryOf(row: Row, attribute: string): Buffer | undefined {
  const binary = row[attribute]?.['B'];
  if (binary === undefined) return undefined;
  return typeof binary === 'string' ? Buffer.from(binary, 'base64') : Buffer.from(binary as Uint8Array);
}

const hexOf = (row: Row, attribute: string): string | undefined => binaryOf(row, attribute)?.toString('hex');

function bytesOf(row: Row): Buffer | undefined {
  const [body, packed] = [binaryOf(row, 'body'), binaryOf(row, 'b')];
  if (packed !== undefined) return readOr(() => unpackedBody(packed, saidBy(row)), Buffer.from(unreadable));
  return body && textOf(row, 'body_encoding') === 'deflate' ? inflateSync(body) : body;
}

/** What a compact row says that its body repeats; a row that is only a body says the id of its event. */
function saidBy(row: Row): readonly (string | null | undefined)[] {
  const { transactionId, amount, currency, createdAt } = factIn(row) ?? {};
  return [transactionId, amount, currency, createdAt, textOf(row, 'o'), eventIdOf(row)];
}

const eventIdOf = (row: Row): string => (textOf(row, 'event_key') ?? '').replace(/^\w+:\w+:/, '');

function compactFactText(row: Row): string | undefined {
  const fact = factIn(row);
  return fact && factText(fact);
}

function factIn(row: Row): CompactFact | undefined {
  const text = textOf(row, 'f');
  return text === undefined ? undefined : compactFact(eventIdOf(row), text);
}

/** In the place of what cannot be read: it is never what was sent. */
const unreadable = 'unreadable';

function readOr<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function mapOf(row: Row, attribute: string): Decision | undefined {
  const map = row[attribute]?.['M'] as Row | undefined;
  return map && decisionOf(map);
}

const decisionOf = (row: Row): Decision => ({
  by: textOf(row, 'by') ?? '',
  reason: textOf(row, 'reason') ?? '',
  at: textOf(row, 'at') ?? '',
  verdict: textOf(row, 'verdict'),
  orderId: textOf(row, 'order_id'),
});
