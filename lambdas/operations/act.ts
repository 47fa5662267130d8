import type { ApplyParts } from '../consumer/apply.ts';
import type { RowSettings } from '../consumer/event-rows.ts';
import { orderKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import type { Refusal, RouteResult } from '../http-api/route.ts';
import type { Act, ActName } from '../ports/acts.ts';
import type { Decision } from '../ports/decisions.ts';
import type { JudgementWriter } from '../ports/judgements.ts';
import type { EventRow, OrderRef } from '../ports/stores.ts';
import type { UnrecognisedReader } from '../ports/unrecognised-reader.ts';
import type { ActRequest } from './act-request.ts';
import { type ActStores, createDryRunStores } from './dry-run-stores.ts';
import { type EventChange, type ObservedRows, observeRows } from './observe-rows.ts';
import { type ChangedOrder, type OrderChange, observeOrders, orderChange } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';

/** The response of every act. */
export interface ActResponse extends Decision {
  readonly act: ActName;
  readonly mode: Mode;
  readonly dry_run: boolean;
  /** `false` when everything was done already. */
  readonly changed: boolean;
  readonly events: readonly EventChange[];
  readonly orders: readonly OrderChange[];
}

/** One act under way, over the tables or, in a dry run, over a copy of what it reads. */
export interface ActUnderWay extends ActStores, Pick<ApplyParts, 'meaningOf' | 'now'> {
  readonly mode: Mode;
  readonly decision: Decision;
  readonly judgements: JudgementWriter;
  /** Reads from the table in a dry run too: no act stores such a row. */
  readonly findUnrecognised: UnrecognisedReader['findUnrecognised'];
  readonly rows: ObservedRows<ActStores['events']>;
  readonly settings: RowSettings;
  readonly changedOrders: () => Promise<readonly ChangedOrder[]>;
  /**
   * From now on stores the act next to an order before that changes: after an interruption, a repetition
   * finds the order changed and nothing to audit.
   */
  auditBeforeChange(subject: Omit<Act, 'act'>, key: string): void;
  /** Stores the act next to the subject, the other rows that it changed, and the orders concerned. */
  audit(subject: Omit<Act, 'act'>, concerned: Concerned): Promise<void>;
  respond(result: { readonly changed: boolean; readonly decision?: Decision }): Promise<RouteResult>;
}

export interface Concerned {
  readonly key?: string;
  readonly orderIds: readonly (string | undefined)[];
}

/** `caller` is the identity of the operator. */
export function openAct(
  parts: OperationsParts,
  act: ActName,
  { mode, dryRun, reason, caller }: ActRequest & { readonly caller: string },
): ActUnderWay {
  const { meaningOf, eventRetentionDays } = parts;
  const now = parts.now();
  const stores = dryRun ? createDryRunStores(parts) : parts;
  const rows = observeRows(stores.events);
  let beforeChange = async (_: OrderRef): Promise<void> => {};
  const { orders, changed: changedOrders } = observeOrders(stores.orders, (order) => beforeChange(order));
  const decision: Decision = { by: caller, at: now.toISOString(), reason };
  return {
    mode,
    decision,
    events: rows.events,
    transactions: stores.transactions,
    orders,
    meaningOf,
    now: parts.now,
    rows,
    findUnrecognised: parts.events.findUnrecognised,
    judgements: dryRun ? { ...parts.judgements, judge: async () => true } : parts.judgements,
    settings: { now, eventRetentionDays, meaningOf },
    changedOrders,

    auditBeforeChange(subject, key) {
      if (dryRun) return;
      beforeChange = ({ id }) => parts.acts.putAct({ act, ...subject }, [key, orderKey(mode, id)]);
    },

    async audit(subject, { key, orderIds }) {
      const ids = [...orderIds, ...(await changedOrders()).map(({ order }) => order.id)];
      const partitions = [
        ...(key === undefined ? [] : [key]),
        ...rows.changed().map((row) => row.key),
        ...ids.flatMap((id) => (id === undefined ? [] : [orderKey(mode, id)])),
      ];
      if (!dryRun) await parts.acts.putAct({ act, ...subject }, partitions);
    },

    async respond({ changed, decision: { by, at, reason: why } = decision }) {
      const { telemetry } = parts;
      telemetry.log('notice', 'act of an operator', { act, mode, dry_run: dryRun, changed, by });
      const events = rows.changed().map(({ key: _, record: __, ...change }) => change);
      const orders = (await changedOrders()).map((order) => orderChange(order, meaningOf));
      const body: ActResponse = { act, mode, dry_run: dryRun, changed, by, at, reason: why, events, orders };
      return { ok: true, body };
    },
  };
}

/** What the state of the subject forbids; `detail` names what to do. */
export const conflict = (detail: string): Refusal => ({
  ok: false,
  problem: { status: 409, title: 'Conflict', detail },
});

/** For messages. */
export const eventOf = ({ eventId, bodySha256 }: Pick<EventRow, 'eventId' | 'bodySha256'>): string =>
  eventId === undefined ? `The body ${bodySha256}` : `The event ${JSON.stringify(eventId)}`;
