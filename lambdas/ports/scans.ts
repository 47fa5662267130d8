import type { Mode } from '../domain/signature.ts';
import type { OrderRow } from './rows.ts';
import type { FoundBodies } from './stores.ts';

/** One of several parts of a table, which can be scanned at the same time; `index` counts from 0. */
export interface Segment {
  readonly index: number;
  readonly of: number;
}

/** The key of the last row of a page. */
export interface ScanPosition {
  readonly key: string;
  readonly record: string;
}

export interface EventScanRequest {
  readonly mode: Mode;
  /** When a body of the event was recorded, both inclusive; ISO 8601 UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly after?: ScanPosition | undefined;
  readonly segment?: Segment | undefined;
  /** With every body that the page holds as a whole; not with a time. */
  readonly withBodies?: boolean;
}

export interface EventScan {
  /** The events of one page of the table, in its order; an event with several bodies may come twice. */
  page(request: EventScanRequest): Promise<{
    /** Each with the place in the table after the row that named it. */
    readonly events: readonly {
      readonly eventId: string;
      readonly position: ScanPosition;
      readonly bodies?: FoundBodies | undefined;
    }[];
    /** `undefined` at the end of the table. */
    readonly next: ScanPosition | undefined;
  }>;
}

export interface OrderScan {
  /** The orders of one page of the table, in its order. `after` and `next` are keys of orders. */
  page(
    request: Pick<EventScanRequest, 'mode' | 'segment'> & { readonly after?: string | undefined },
  ): Promise<{
    readonly orders: readonly OrderRow[];
    readonly next: string | undefined;
  }>;
}
