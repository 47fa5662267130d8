import type { PaymentEvent } from './payment-event.ts';

/**
 * What one signed event means for its order, independent of when and how it arrived: an immutable member of
 * the order's fact set. One event always gives one string, so set union makes duplicates, redrives and
 * replays harmless.
 */
export interface EventFact {
  readonly kind: 'event';
  readonly eventId: string;
  readonly eventName: string;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

/** A second body arrived under an existing event id; the first one counts, and a person must look. */
export interface ConflictFact {
  readonly kind: 'conflict';
  readonly eventId: string;
  readonly bodySha256: string;
}

export type Fact = EventFact | ConflictFact;

/**
 * Only this module writes facts, so a fact that it cannot read means that older code reads newer data.
 */
export class UnreadableFactError extends Error {
  override readonly name = 'UnreadableFactError';
  constructor(fact: string) {
    super(
      `An order holds a fact of ${fact.length} characters that this version cannot read; expected an array ` +
        'tagged "event.1" or "conflict.1". Deploy the version that wrote it, or a newer one.',
    );
  }
}

export function eventFact(event: PaymentEvent): string {
  const { id, amount, currency, createdAt } = event.transaction;
  return JSON.stringify(['event.1', event.id, event.eventName, id, amount, currency, createdAt]);
}

export function conflictFact(eventId: string, bodySha256: string): string {
  return JSON.stringify(['conflict.1', eventId, bodySha256]);
}

/** The inverse of the two above. Throws UnreadableFactError. */
export function parseFact(text: string): Fact {
  const parts: unknown = parseArray(text);
  if (!Array.isArray(parts)) throw new UnreadableFactError(text);
  const [tag, eventId, ...rest] = parts;
  if (typeof eventId === 'string') {
    if (tag === 'event.1' && rest.length === 5) return readEventFact(eventId, rest, text);
    if (tag === 'conflict.1' && typeof rest[0] === 'string') {
      return { kind: 'conflict', eventId, bodySha256: rest[0] };
    }
  }
  throw new UnreadableFactError(text);
}

function readEventFact(eventId: string, rest: readonly unknown[], text: string): EventFact {
  const [eventName, transactionId, amount, currency, createdAt] = rest.map((part) => {
    if (typeof part !== 'string' && part !== null) throw new UnreadableFactError(text);
    return part;
  });
  if (typeof eventName !== 'string') throw new UnreadableFactError(text);
  return {
    kind: 'event',
    eventId,
    eventName,
    transactionId: transactionId ?? null,
    amount: amount ?? null,
    currency: currency ?? null,
    createdAt: createdAt ?? null,
  };
}

function parseArray(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
