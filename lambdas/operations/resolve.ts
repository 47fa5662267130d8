import { type Attention, attentions, isResolvable } from '../domain/attention.ts';
import { parseFact, resolvedFact } from '../domain/fact.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { judgedDigest } from '../domain/judged-digest.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Decision } from '../ports/decisions.ts';
import { PermanentStoreError } from '../ports/stores.ts';
import { type ActUnderWay, conflict, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import type { OperationsParts } from './parts.ts';

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
  const facts = (await act.orders.get({ mode: act.mode, id }))?.facts;
  if (facts === undefined) return notFound(`No ${act.mode} event has named the order ${JSON.stringify(id)}.`);
  const order: SeenOrder = { id, facts, sequence };
  const open = foldOrder(facts, act.meaningOf).attention;
  const resolved = resolutionsOf(facts);
  const chosen = names === undefined ? open.filter(isResolvable) : names.map(readAttention);
  const left = [...new Set(chosen)].filter((name) => !resolved.has(name));
  const [any] = resolved.values();
  const [standing = any] = chosen.map((name) => resolved.get(name));
  if (left.length === 0 && standing !== undefined) {
    return act.respond({ changed: false, decision: standing });
  }
  const wrong = refusalOf(order, { left, open });
  return wrong ?? resolveAll(act, order, left);
}

interface SeenOrder {
  readonly id: string;
  readonly facts: readonly string[];
  readonly sequence: number;
}

function readAttention(name: string): Attention {
  const known = attentions.find((one) => one === name);
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

function refusalOf(
  { id, facts, sequence }: SeenOrder,
  { left, open }: { readonly left: readonly Attention[]; readonly open: readonly Attention[] },
): RouteResult | undefined {
  const name = JSON.stringify(id);
  if (sequence !== facts.length) {
    return conflict(
      `The order ${name} has the sequence ${facts.length} by now, and not ${sequence}. ` +
        'Look at it again, and resolve what it lists then.',
    );
  }
  if (!left.every(isResolvable)) {
    return conflict(
      `The order ${name} is full: too_many_events cannot be resolved, because later events leave no fact ` +
        'that would list it again. The events that did not fit wait as order_refused.',
    );
  }
  const absent = left.filter((attention) => !open.includes(attention));
  if (absent.length === 0 && left.length > 0) return undefined;
  const listed = open.length === 0 ? 'no attention' : open.join(', ');
  const asked = absent.length === 0 ? 'Nothing is to be resolved' : `${absent.join(', ')} cannot be resolved`;
  return conflict(`${asked}: the order ${name} lists ${listed}.`);
}

async function resolveAll(
  act: ActUnderWay,
  { id, facts }: SeenOrder,
  left: readonly Attention[],
): Promise<RouteResult> {
  const judgedSha256 = judgedDigest(facts);
  const { by, at, reason } = act.decision;
  const order = { mode: act.mode, id };
  const resolutions = left.map((attention) => resolvedFact({ attention, judgedSha256, by, at, reason }));
  try {
    const merged = await act.orders.merge({ order, facts: resolutions, now: act.now });
    if (judgedDigest(merged.facts) === judgedSha256) return await act.respond({ changed: true });
  } catch (error) {
    if (!(error instanceof PermanentStoreError)) throw error;
    return conflict(`The order ${JSON.stringify(id)} is full (too_many_events) and takes no resolution.`);
  }
  return conflict(
    `The order ${JSON.stringify(id)} changed while it was resolved, so its attention stays. ` +
      'Look at it again, and resolve what it lists then.',
  );
}
