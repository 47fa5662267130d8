import { fitsOrderItem } from '../contract/order-item.ts';
import { type Attention, attentions, isResolvable } from '../domain/attention.ts';
import { countEvents } from '../domain/counted-events.ts';
import { currentResolutions, judgedDigest, resolvedFact } from '../domain/fact.ts';
import { foldOrder } from '../domain/fold-order.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { wrongField } from '../http-api/parameters.ts';
import { conflict, notFound } from '../http-api/problem.ts';
import { type OperationsParts, openAct, untilUnchanged } from './act.ts';
import { fields, readActRequest } from './fields.ts';

/**
 * `POST /operations/resolve`: attentions of an order are no longer listed while its facts stay as the
 * operator saw them. No money moves.
 */
export async function postResolve(parts: OperationsParts, { body, caller }: RouteRequest) {
  const { order_id, sequence, attention } = fields;
  const request = readActRequest(body, { order_id, sequence, attention });
  const { order_id: id, sequence: seen, attention: names } = request;
  if (id === undefined) throw wrongField('order_id', undefined, 'the order');
  if (seen === undefined) throw wrongField('sequence', undefined, 'the sequence of the order that you saw');
  const act = openAct(parts, 'resolve', { ...request, caller });
  const { now, fits = fitsOrderItem } = parts;
  const order = `The order ${JSON.stringify(id)}`;
  const full = () => conflict(`${order} is full (too_many_events) and takes no resolution.`);
  return untilUnchanged(async () => {
    const row = await parts.orders.get({ mode: act.mode, id });
    if (row === undefined) throw notFound(`No ${act.mode} event has named the order ${JSON.stringify(id)}.`);
    const listed = foldOrder(row.facts).attention;
    const resolutions = currentResolutions(row.facts, countEvents(row.facts).resolutions);
    const chosen = new Set(names === undefined ? listed.filter(isResolvable) : names.map(readAttention));
    const left = [...chosen].filter((name) => !resolutions.some((fact) => fact.attention === name));
    const earlier = resolutions.find((fact) => chosen.has(fact.attention as Attention)) ?? resolutions[0];
    if (left.length === 0 && earlier !== undefined) return act.respond([], { earlier });
    if (seen !== row.sequence)
      throw conflict(
        `${order} has the sequence ${row.sequence} now, and not ${seen}. ` +
          'Look at it again, and resolve what it lists then.',
      );
    refuse(order, left, listed);
    const added = left.map((name) =>
      resolvedFact({ attention: name, judgedSha256: judgedDigest(row.facts), ...act.decision }),
    );
    const facts = [...row.facts, ...added].sort();
    // The store of a dry run knows no size.
    if (!fits(row.order, facts)) throw full();
    const after = { ...row, facts, sequence: row.sequence + 1, updatedAt: now().toISOString() };
    const orders = [{ before: row, after }];
    const result = await act.commit(
      { subject: { orderId: id, attention: left }, partitions: [] },
      { orders },
    );
    if (result === 'changed') return undefined;
    if (result !== 'committed') throw full();
    return act.respond([{ orders }]);
  });
}

function readAttention(name: string): Attention {
  const known = attentions.find((attention) => attention === name);
  if (known === undefined) throw wrongField('attention', name, `names among ${attentions.join(', ')}`);
  return known;
}

/** Refuses what no resolution ends, and what the order does not list. */
function refuse(order: string, left: readonly Attention[], listed: readonly Attention[]): void {
  const never = left.find((attention) => !isResolvable(attention));
  if (never === 'unreadable_fact')
    throw conflict(`${order} holds a fact that this version cannot read. Deploy the version that wrote it.`);
  if (never !== undefined)
    throw conflict(
      `${order} is full: too_many_events cannot be resolved, because later events leave no fact ` +
        'that would list it again. The events that did not fit wait as order_refused.',
    );
  const absent = left.filter((attention) => !listed.includes(attention));
  if (absent.length === 0 && left.length > 0) return;
  const asked = absent.length === 0 ? 'Nothing is to be resolved' : `${absent.join(', ')} cannot be resolved`;
  const name = order.replace('The', 'the');
  throw conflict(`${asked}: ${name} lists ${listed.length === 0 ? 'no attention' : listed.join(', ')}.`);
}
