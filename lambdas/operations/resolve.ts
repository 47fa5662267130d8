import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { type Attention, attentions, isResolvable } from '../domain/attention.ts';
import { parseFact, resolvedFact } from '../domain/fact.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { judgedDigest } from '../domain/judged-digest.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Decision } from '../ports/decisions.ts';
import type { OrderRow } from '../ports/rows.ts';
import { fitsRow } from '../projection/order-size.ts';
import { type ActUnderWay, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import type { OperationsParts } from './parts.ts';
import { busy, conflict } from './refusals.ts';

/**
 * `POST /operations/resolve`: attentions of an order are no longer listed while its facts stay as the
 * operator saw them. No money moves.
 */
export async function postResolve(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['order_id', 'sequence', 'attention']);
  const { order_id: id, sequence, attention: names } = subject;
  if (id === undefined) throw new FieldError('order_id', undefined, 'the order');
  if (sequence === undefined)
    throw new FieldError('sequence', undefined, 'the sequence of the order that you saw');
  const act = openAct(parts, 'resolve', { ...request, caller });
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const row = await parts.orders.get({ mode: act.mode, id });
    if (row === undefined) return notFound(`No ${act.mode} event has named the order ${JSON.stringify(id)}.`);
    const open = foldOrder(row.facts).attention;
    const resolved = resolutionsOf(row.facts);
    const chosen = names === undefined ? open.filter(isResolvable) : names.map(readAttention);
    const left = [...new Set(chosen)].filter((name) => !resolved.has(name));
    const [any] = resolved.values();
    const [standing = any] = chosen.map((name) => resolved.get(name));
    if (left.length === 0 && standing !== undefined)
      return act.respond({ plans: [], changed: false, decision: standing });
    const wrong = whyNot(row, sequence, { left, open });
    if (wrong !== undefined) return wrong;
    const result = await resolveAll(parts, act, { row, left });
    if (result !== undefined) return result;
  }
  return busy(1);
}

function readAttention(name: string): Attention {
  const known = attentions.find((attention) => attention === name);
  if (known === undefined) throw new FieldError('attention', name, `names among ${attentions.join(', ')}`);
  return known;
}

/** What is resolved for the facts as they are, and who resolved it. */
function resolutionsOf(facts: readonly string[]): ReadonlyMap<string, Decision> {
  const digest = judgedDigest(facts);
  const resolutions = facts.map(parseFact).filter((fact) => fact.kind === 'resolved');
  return new Map(
    resolutions
      .filter(({ judgedSha256 }) => judgedSha256 === digest)
      .map(({ attention, by, at, reason }) => [attention, { by, at, reason }]),
  );
}

interface Asked {
  readonly left: readonly Attention[];
  readonly open: readonly Attention[];
}

function whyNot(row: OrderRow, sequence: number, { left, open }: Asked): RouteResult | undefined {
  const name = JSON.stringify(row.order.id);
  if (sequence !== row.sequence)
    return conflict(
      `The order ${name} has the sequence ${row.sequence} now, and not ${sequence}. ` +
        'Look at it again, and resolve what it lists then.',
    );
  const never = left.find((attention) => !isResolvable(attention));
  if (never === 'unreadable_fact')
    return conflict(
      `The order ${name} holds a fact that this version cannot read. Deploy the version that wrote it.`,
    );
  if (never !== undefined)
    return conflict(
      `The order ${name} is full: too_many_events cannot be resolved, because later events leave no fact ` +
        'that would list it again. The events that did not fit wait as order_refused.',
    );
  const absent = left.filter((attention) => !open.includes(attention));
  if (absent.length === 0 && left.length > 0) return undefined;
  const listed = open.length === 0 ? 'no attention' : open.join(', ');
  const asked = absent.length === 0 ? 'Nothing is to be resolved' : `${absent.join(', ')} cannot be resolved`;
  return conflict(`${asked}: the order ${name} lists ${listed}.`);
}

/** `undefined` when the order has changed since it was read. */
async function resolveAll(
  { now, fits = fitsRow }: OperationsParts,
  act: ActUnderWay,
  { row: before, left }: { readonly row: OrderRow; readonly left: readonly Attention[] },
): Promise<RouteResult | undefined> {
  const judgedSha256 = judgedDigest(before.facts);
  const added = left.map((attention) => resolvedFact({ attention, judgedSha256, ...act.decision }));
  const facts = [...before.facts, ...added].sort();
  const after = { ...before, facts, sequence: before.sequence + 1, updatedAt: now().toISOString() };
  const orders = [{ before, after }];
  const { mode, id } = before.order;
  const full = conflict(`The order ${JSON.stringify(id)} is full (too_many_events) and takes no resolution.`);
  // The store of a dry run knows no size.
  if (!fits(before.order, facts)) return full;
  const about = { subject: { orderId: id, attention: left }, partitions: [] };
  const acts = act.actsOn([orderKey(mode, id)], about);
  const result = await act.store.commit({ events: [], transactions: [], names: [], orders, acts });
  if (result.kind === 'changed') return undefined;
  if (result.kind !== 'committed') return full;
  return act.respond({ plans: [{ events: [], orders }], changed: true });
}
