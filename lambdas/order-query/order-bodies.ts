import { orderBodiesEventsMax } from '../contract/operations-limits.ts';
import { eventKey } from '../contract/schema.ts';
import { countEvents, countRead, type ReadFact, readFacts } from '../domain/counted-events.ts';
import { foldSteps, type OrderStep } from '../domain/fold-steps.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { EventReader, EventSummary } from '../ports/stores.ts';
import { factOf, inOrder } from './event-view.ts';

/** Every body under one event id. */
export interface EventBodies {
  /** The body that counts in the order, or else the first. */
  readonly row: EventRow;
  /** Whether the order counts what that body says. */
  readonly counts: boolean;
  readonly others: readonly EventRow[];
}

/** The rows behind the events of an order, by event id. */
export interface EventRowsOfOrder {
  readonly bodies: ReadonlyMap<string, EventBodies | undefined>;
  /** Of the other events. */
  readonly summaries: ReadonlyMap<string, EventSummary>;
}

/**
 * The rows behind the events of an order. `bodies` leaves out an id with too many bodies or one that cannot
 * be read and, for an order with very many events, some that are not contested; it has
 * `undefined` for an id without any.
 */
export async function readRowsOfOrder(
  events: EventReader,
  { order, facts }: OrderRow,
): Promise<EventRowsOfOrder> {
  const { texts, contested } = countEvents(facts);
  const byContest = [...texts].toSorted(([a], [b]) => Number(contested.has(b)) - Number(contested.has(a)));
  const found = byContest.slice(0, orderBodiesEventsMax).map(async ([id, text]) => {
    const read = await events.bodiesOf(eventKey(order.mode, id));
    return read.kind === 'found' ? [[id, choose(read.rows, text)] as const] : [];
  });
  const bodies = new Map((await Promise.all(found)).flat());
  const others = [...texts.keys()].filter((id) => !bodies.has(id));
  return { bodies, summaries: await events.summaries(order.mode, others) };
}

function choose(rows: readonly EventRow[], counted: string): EventBodies | undefined {
  const sorted = inOrder(rows);
  const counting = sorted.find((body) => factOf(body) === counted);
  const row = counting ?? sorted[0];
  const others = sorted.filter((body) => body !== row);
  return row && { row, counts: counting !== undefined, others };
}

interface BodySteps {
  /** The state of the order after the body that counts under this id. */
  ofEvent(eventId: string): OrderStep | undefined;
  /** The same after another body; `undefined` for one that added no fact to the order. */
  ofBody(row: EventRow): OrderStep | undefined;
}

interface Arrival {
  /** When it was received, and stored. */
  readonly at: string;
  readonly fact: string;
  /** Another body than the one that counts. */
  readonly other?: EventRow;
}

/** What each body changed, in the order in which they came. */
export function bodySteps({ facts }: OrderRow, { bodies, summaries }: EventRowsOfOrder): BodySteps {
  const known = readFacts(facts);
  const { texts: counted } = countRead(known);
  const arrivals = [...counted].flatMap(([id, fact]): Arrival[] => {
    const found = bodies.get(id);
    const others = (found?.others ?? []).flatMap((other): Arrival[] => {
      const added = known.find(isAddedBy(other))?.text;
      return added === undefined || added === fact ? [] : [{ at: timeOf(other), fact: added, other }];
    });
    return [{ at: timeOf(found?.row ?? summaries.get(id)), fact }, ...others];
  });
  const sorted = arrivals.toSorted(byTime);
  const steps = foldSteps(
    known,
    sorted.map(({ fact }) => fact),
  );
  // Of two bodies with one fact, the first added it.
  const added = new Map(sorted.toReversed().map(({ fact, other }) => [fact, other]));
  const factBy = new Map([...added].flatMap(([fact, other]) => (other === undefined ? [] : [[other, fact]])));
  return {
    ofEvent: (eventId) => steps.get(counted.get(eventId) ?? ''),
    ofBody: (row) => steps.get(factBy.get(row) ?? ''),
  };
}

/** What a body says, or that it conflicts. */
function isAddedBy(row: EventRow): (added: ReadFact) => boolean {
  const own = factOf(row);
  return ({ text, fact }) =>
    text === own ||
    (fact.kind === 'conflict' && fact.eventId === row.eventId && fact.bodySha256 === row.bodySha256);
}

const timeOf = (row: EventSummary | undefined): string => (row ? `${row.receivedAt} ${row.recordedAt}` : '');

/** Stable: at one time, by event id. */
const byTime = (a: Arrival, b: Arrival): number => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1);
