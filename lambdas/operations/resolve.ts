import { type Attention, attentions, isResolvable } from '../domain/attention.ts';
import { parseFact, resolvedFact } from '../domain/fact.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { judgedDigest } from '../domain/judged-digest.ts';
import { conflict, notFound } from '../http-api/problem.ts';
import { FieldError } from '../http-api/request-body.ts';
import type { RouteRequest } from '../http-api/route.ts';
import type { Decision } from '../ports/decisions.ts';
import type { OrderRow } from '../ports/rows.ts';
import { fitsRow } from '../projection/project.ts';
import { openAct, untilUnchanged } from './act.ts';
import { fields, readActRequest } from './fields.ts';
import type { OperationsParts } from './parts.ts';

/**
 * `POST /operations/resolve`: attentions of an order are no longer listed while its facts stay as the
 * operator saw them. No money moves.
 */
export async function postResolve(parts: OperationsParts, { body, caller }: RouteRequest) {
  const { order_id, sequence, attention } = fields;
  const request = readActRequest(body, { order_id, sequence, attention });
  const { order_id: id, sequence: seen, attention: names } = request;
  if (id === undefined) throw new FieldError('order_id', undefined, 'the order');
  if (seen === undefined)
    throw new FieldError('sequence', undefined, 'the sequence of the order that you saw');
  const act = openAct(parts, 'resolve', { ...request, caller });
  return untilUnchanged(async () => {
    const row = await parts.orders.get({ mode: act.mode, id });
    if (row === undefined) throw notFound(`No ${act.mode} event has named the order ${JSON.stringify(id)}.`);
    const open = foldOrder(row.facts).attention;
    const resolved = resolutionsOf(row.facts);
    const chosen = names === undefined ? open.filter(isResolvable) : names.map(readAttention);
    const left = [...new Set(chosen)].filter((name) => !resolved.has(name));
    const [any] = resolved.values();
    const [earlier = any] = chosen.map((name) => resolved.get(name));
    if (left.length === 0 && earlier !== undefined) return act.respond([], { earlier });
    refuse(row, seen, { left, open });
    const change = { before: row, after: resolve(parts, row, { left, decision: act.decision }) };
    const about = { subject: { orderId: id, attention: left }, partitions: [] };
    const result = await act.commit(about, { orders: [change] });
    if (result === 'changed') return undefined;
    if (result !== 'committed') throw full(row);
    return act.respond([{ orders: [change] }], {});
  });
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

interface Chosen {
  readonly left: readonly Attention[];
  readonly open: readonly Attention[];
}

function refuse({ order, sequence }: OrderRow, seen: number, { left, open }: Chosen): void {
  const name = JSON.stringify(order.id);
  if (seen !== sequence)
    throw conflict(
      `The order ${name} has the sequence ${sequence} now, and not ${seen}. ` +
        'Look at it again, and resolve what it lists then.',
    );
  const never = left.find((attention) => !isResolvable(attention));
  if (never === 'unreadable_fact')
    throw conflict(
      `The order ${name} holds a fact that this version cannot read. Deploy the version that wrote it.`,
    );
  if (never !== undefined)
    throw conflict(
      `The order ${name} is full: too_many_events cannot be resolved, because later events leave no fact ` +
        'that would list it again. The events that did not fit wait as order_refused.',
    );
  const absent = left.filter((attention) => !open.includes(attention));
  if (absent.length === 0 && left.length > 0) return;
  const listed = open.length === 0 ? 'no attention' : open.join(', ');
  const asked = absent.length === 0 ? 'Nothing is to be resolved' : `${absent.join(', ')} cannot be resolved`;
  throw conflict(`${asked}: the order ${name} lists ${listed}.`);
}

/** The order with the facts of its resolutions. */
function resolve(
  { now, fits = fitsRow }: OperationsParts,
  row: OrderRow,
  { left, decision }: { readonly left: readonly Attention[]; readonly decision: Decision },
): OrderRow {
  const judgedSha256 = judgedDigest(row.facts);
  const added = left.map((attention) => resolvedFact({ attention, judgedSha256, ...decision }));
  const facts = [...row.facts, ...added].sort();
  // The store of a dry run knows no size.
  if (!fits(row.order, facts)) throw full(row);
  return { ...row, facts, sequence: row.sequence + 1, updatedAt: now().toISOString() };
}

const full = ({ order }: OrderRow) =>
  conflict(`The order ${JSON.stringify(order.id)} is full (too_many_events) and takes no resolution.`);
