import type {
  ActResult,
  AdmitRequest,
  Attention,
  DismissRequest,
  EraseRequest,
  EventChange,
  Mode,
  OrderChange,
  ReplayRequest,
  ResolveRequest,
  WaitingItem,
  WaitingKind,
} from '@payhooks/order-client';

/** What an operator names; whether it is a dry run, the reason and the pages are the machine's. */
type Named<Request> = Omit<Request, 'dry_run' | 'reason' | 'cursor' | 'limit'>;

/** An act of the operations API. */
export type ActRequest =
  | ({ readonly act: 'admit' } & Named<AdmitRequest>)
  | ({ readonly act: 'dismiss' } & Named<DismissRequest>)
  /** Without a sequence, the act is for the order as the plan shows it. */
  | ({ readonly act: 'resolve'; readonly attention: readonly Attention[]; readonly sequence?: number } & Omit<
      Named<ResolveRequest>,
      'sequence' | 'attention'
    >)
  | ({ readonly act: 'replay' } & Named<ReplayRequest>)
  | ({ readonly act: 'erase' } & Named<EraseRequest>);

/** What another person has proposed is done, or ends. */
export interface DecisionRequest {
  readonly act: 'approve' | 'reject';
  readonly id: string;
  readonly mode: Mode;
}

/** What an act would do. */
export interface ActPlan {
  /** What it does to orders and to what waits, or why it has nothing to do, or cannot be done. */
  readonly sentence: string;
  readonly is_needed: boolean;
  readonly is_possible: boolean;
  /** Who would do it, or did it already. */
  readonly by: string;
  /** A hash of what the operator agrees to. */
  readonly effect: string;
  /** What the operator judges, such as the order as it is. */
  readonly context: readonly string[];
  readonly mode: Mode;
  readonly events: readonly EventChange[];
  /** Only those that change. */
  readonly orders: readonly OrderChange[];
}

/** What an act did. */
export interface ActOutcome {
  /** Such as `Applied refund of 20.00 EUR to order-1.`, or who had done it before. */
  readonly sentence: string;
  readonly events: readonly EventChange[];
  readonly orders: readonly OrderChange[];
  /** The audit row, and whose history shows it; `null` if none was written. */
  readonly record:
    | (Pick<ActResult, 'by' | 'at' | 'reason' | 'mode'> & {
        readonly event_id: string | null;
        readonly order_id: string | null;
      })
    | null;
  /** The act needs two people: nothing was changed, and this proposal waits for another person. */
  readonly proposal: string | null;
}

/** `changed`: nothing was done, because the plan is not what the operator has seen any more. */
export type ActConfirmation =
  | { readonly step: 'done'; readonly outcome: ActOutcome }
  | { readonly step: 'changed'; readonly plan: ActPlan };

/** What an operator has chosen. Without a kind it does not wait. */
export interface BulkItem
  extends Pick<WaitingItem, 'event_id' | 'event_name' | 'order_id' | 'body_sha256'>,
    Partial<Pick<WaitingItem, 'meaning' | 'amount' | 'currency'>> {
  readonly kind: WaitingKind | null;
}

export type BulkRequest = Extract<ActRequest, { readonly act: 'admit' | 'dismiss' }>;

export interface PlannedAct {
  readonly item: BulkItem;
  readonly request: BulkRequest;
  readonly plan: ActPlan;
}

export interface BulkResult {
  readonly item: BulkItem;
  /** `done_otherwise`: it did something else than what was shown, because of what came between. */
  readonly state:
    | 'done'
    | 'done_otherwise'
    | 'proposed'
    | 'done_already'
    | 'changed'
    | 'refused'
    | 'left_out';
  readonly sentence: string;
}
