import { type EventFields, eventBody } from './event-body.ts';
import { fold } from './fold.ts';
import { sha256 } from './older-parser.ts';
import type { sharedTables } from './operators-at-once.ts';

type Tables = ReturnType<typeof sharedTables>;

/** Delivers events one after the other. */
export async function deliver(tables: Tables, ...events: readonly EventFields[]): Promise<void> {
  for (const event of events) await tables.consume({ body: eventBody(event), messageId: event.id });
}

/** From now on, this version reads something else in the body of an event than the one that recorded it. */
export function readAs({ events }: Tables, fields: EventFields): void {
  const at = `live:event:${fields.id} event`;
  const [row, body] = [events.get(at), eventBody(fields)];
  if (row === undefined) throw new Error(`The event ${fields.id} has no row.`);
  events.set(at, { ...row, body, bodySha256: sha256(body) });
}

/** The money of each order; facts that count nothing do not show. */
export const moneyOf = ({ orders }: Tables) =>
  Object.fromEntries(
    [...orders.values()].flatMap(({ order, facts }) => {
      const { status, transactions, events: counted } = fold(facts);
      return counted.length === 0 ? [] : [[order.id, { status, transactions, counted }]];
    }),
  );
