import type { EventChange, Mode, WaitingKind } from '@payhooks/order-client';
import { bulkActsAtOnce } from '../../lambdas/contract/operations-limits.ts';
import { waitingSentences } from '../sentences/waiting-sentences.ts';
import { leftLines, moneyLine, summaryOf, tallyOf } from './bulk-summary.ts';
import type { ActConfirmation, ActPlan, BulkItem, BulkRequest, BulkResult, PlannedAct } from './documents.ts';

/** How single acts are planned and confirmed. */
export interface BulkPerformer {
  plan(request: BulkRequest): Promise<ActPlan>;
  confirm(request: BulkRequest, shown: ActPlan, reason: string): Promise<ActConfirmation>;
  /** Why one act is not possible; `undefined` for an error that ends the whole run. */
  refusalOf(error: unknown): string | undefined;
  progress(done: number, total: number): void;
  /** After it the acts that have begun end, and no other begins. */
  readonly signal?: AbortSignal;
}

/** Those of which many can be judged for one reason. */
export const bulkKinds: readonly WaitingKind[] = [
  'unassigned',
  'quarantined',
  'order_refused',
  'unrecognised',
];

/** Why something is judged alone; `undefined` for what can be judged with others. */
export function aloneReason(act: BulkRequest['act'], kind: WaitingKind): string | undefined {
  if (!bulkKinds.includes(kind)) return `It waits as ${kind}: look at it, and judge it alone.`;
  return act === 'admit' && kind === 'unassigned'
    ? 'It names no order: admit it alone, and choose the order.'
    : undefined;
}

/** Another operator may have dismissed it since it was listed. */
const waitsAs = ({ kind, event_id, body_sha256 }: BulkItem, { before, ...event }: EventChange): boolean =>
  kind !== null &&
  before?.waiting === kind &&
  event.event_id === event_id &&
  event.body_sha256 === body_sha256;

const ordersShownMax = 20;

/**
 * Many acts with one reason and one confirmation. Each has a plan and a result of its own, and one that was
 * done already has nothing to do: so a repetition continues. The page of the console runs it too.
 */
export function createBulk(
  { act, mode }: { readonly act: BulkRequest['act']; readonly mode: Mode },
  readItems: () => Promise<readonly BulkItem[]>,
) {
  let open: readonly PlannedAct[] = [];
  let results: readonly BulkResult[] = [];
  /** What the acts have made of their orders. */
  const made = new Map<string, string>();

  async function planOne(item: BulkItem, performer: BulkPerformer): Promise<PlannedAct | BulkResult> {
    const { kind, event_id, body_sha256 } = item;
    const alone = kind === null ? undefined : aloneReason(act, kind);
    if (alone !== undefined) return { item, state: 'left_out', sentence: alone };
    const named = { ...(event_id !== null && { event_id }), ...(body_sha256 !== null && { body_sha256 }) };
    const request = { act, mode, ...named };
    const plan = await performer.plan(request);
    if (!plan.is_needed) return { item, state: 'done_already', sentence: plan.sentence };
    if (plan.events.some((event) => waitsAs(item, event))) return { item, request, plan };
    const now = kind === null ? 'It does not wait' : `It waits as ${kind} no more`;
    return { item, state: 'left_out', sentence: `${now}: judge it alone. ${plan.sentence}` };
  }

  async function confirmOne({ item, request, plan }: PlannedAct, performer: BulkPerformer, reason: string) {
    let [shown, confirmation] = [plan, await performer.confirm(request, plan, reason)];
    if (confirmation.step === 'changed' && isChangedByRun(plan, confirmation.plan, made)) {
      shown = confirmation.plan;
      confirmation = await performer.confirm(request, shown, reason);
    }
    const result = (state: BulkResult['state'], sentence: string): BulkResult => ({ item, state, sentence });
    if (confirmation.step === 'changed') {
      const { sentence, is_needed } = confirmation.plan;
      return result(is_needed ? 'changed' : 'done_already', sentence);
    }
    const { sentence, events, orders, proposal } = confirmation.outcome;
    for (const { order_id, after } of orders) made.set(order_id, stateText(after));
    if (proposal !== null) return result('proposed', sentence);
    if (events.length + orders.length === 0) return result('done_already', sentence);
    if (stateText([events, orders]) === stateText([shown.events, shown.orders]))
      return result('done', sentence);
    return result('done_otherwise', `${sentence} Look at its order.`);
  }

  return {
    /** What is still to do, and what became of the rest. */
    state: () => ({ open, results, tally: tallyOf(act, results, open.length) }),
    /** A dry run of each act. */
    async plan(performer: BulkPerformer): Promise<ActPlan> {
      const items = await readItems();
      const chains = items.map((item) => [item]);
      const planned = await inChains(chains, performer, planOne, (item) => item);
      if (planned.failure !== undefined) throw planned.failure.error;
      const all = [...planned.results.values()];
      open = all.filter((entry): entry is PlannedAct => 'plan' in entry);
      results = all.filter((entry): entry is BulkResult => 'state' in entry);
      const { events, orders, money } = summaryOf(open);
      const kinds = new Set(open.flatMap(({ item }) => item.kind ?? []));
      const meanings = [...kinds].map((kind) => `${kind}: if you ${act} one, ${waitingSentences[kind][act]}`);
      const changes = open.flatMap(({ plan }) => plan.orders);
      const more = changes.length > ordersShownMax ? [`The first ${ordersShownMax} orders are shown.`] : [];
      const sums = [`${events} events; orders that change: ${orders}.`, ...money.map(moneyLine)];
      return {
        sentence: events === 0 ? tallyOf(act, results) : [...meanings, ...more].join(' '),
        ...{ is_needed: events > 0, is_possible: true, by: open[0]?.plan.by ?? '', effect: '', mode },
        context: [...(events === 0 ? [] : sums), ...leftLines(results)],
        ...{ events: [], orders: changes.slice(0, ordersShownMax) },
      };
    },
    /** Acts, each if it would still do what was shown. Those of one order follow one another. */
    async confirm(performer: BulkPerformer, reason: string): Promise<ActConfirmation> {
      const chains = Map.groupBy(open, ({ plan, item }) => plan.orders[0]?.order_id ?? item);
      const before = results;
      const perform = (planned: PlannedAct) => confirmOne(planned, performer, reason);
      const ended = await inChains([...chains.values()], performer, perform, ({ item }) => item);
      open = open.filter((planned) => !ended.results.has(planned));
      results = [...before, ...ended.results.values()];
      if (ended.failure !== undefined) throw ended.failure.error;
      const sentence = [tallyOf(act, results, open.length), ...leftLines(results)].join(' ');
      return { step: 'done', outcome: { sentence, events: [], orders: [], record: null, proposal: null } };
    },
  };
}

/**
 * Whether a plan is another one only because earlier acts of the run have changed its orders, and raises no
 * attention that was not shown: a second payment may be a double charge.
 */
function isChangedByRun(shown: ActPlan, now: ActPlan, made: ReadonlyMap<string, string>): boolean {
  const expected = new Map(shown.orders.map((change) => [change.order_id, change]));
  return (
    stateText(now.events) === stateText(shown.events) &&
    now.orders.every(({ order_id, before, after }) => {
      const change = expected.get(order_id);
      const known = [...(before?.attention ?? []), ...(change?.after.attention ?? [])];
      const isOfRun = (made.get(order_id) ?? stateText(change?.before)) === stateText(before);
      return isOfRun && after.attention.every((name) => known.includes(name));
    })
  );
}

/** As text to compare, without the counters that other facts move. */
const stateText = (state: unknown): string =>
  JSON.stringify(state, (name, value: unknown) => (name === 'sequence' ? undefined : value));

/** Goes through some chains at a time, and through each in order. The results have the order of the items. */
async function inChains<Item, Result>(
  chains: readonly (readonly Item[])[],
  performer: BulkPerformer,
  work: (item: Item, performer: BulkPerformer) => Promise<Result>,
  itemOf: (item: Item) => BulkItem,
) {
  const found = new Map<Item, Result | BulkResult>();
  const total = chains.flat().length;
  const left = chains.values();
  let failure: { readonly error: unknown } | undefined;
  async function next(): Promise<void> {
    for (const chain of left)
      for (const item of chain) {
        if (failure !== undefined || performer.signal?.aborted) return;
        try {
          found.set(item, await work(item, performer));
        } catch (error) {
          const sentence = performer.refusalOf(error);
          if (sentence === undefined) failure ??= { error };
          else found.set(item, { item: itemOf(item), state: 'refused', sentence });
        }
        performer.progress(found.size, total);
      }
  }
  await Promise.all(Array.from({ length: bulkActsAtOnce }, next));
  const ordered = chains.flat().flatMap((item) => {
    const result = found.get(item);
    return result === undefined ? [] : [[item, result] as const];
  });
  return { results: new Map(ordered), failure };
}
