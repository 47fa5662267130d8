import type { Event, Order } from '@payhooks/order-client';
import { shortId } from '../../operator/printable.ts';
import { attentionSentences } from '../../operator/sentences/reason-sentences.ts';
import { describeOrder } from '../webhooks/description.ts';

/** What the order query shows after a notification, in one line for a person. */
export async function describeResult(
  { baseUrl, signal }: { readonly baseUrl: string; readonly signal: AbortSignal },
  path: string | null,
  outcome?: string,
): Promise<string> {
  if (path === null) return outcome === undefined ? 'not accepted' : `${outcome}; its bytes are kept`;
  const prefix = outcome === 'duplicate' ? 'duplicate; ' : '';
  try {
    const response = await fetch(`${baseUrl}${path}`, { signal });
    if (response.status === 404) return `nothing recorded: ${path} returns 404`;
    if (response.status !== 200) return `${prefix}${path} returns ${response.status}`;
    const view = (await response.json()) as Order | Event;
    return prefix + ('events' in view ? describeWithAttention(view) : describeEvent(view));
  } catch {
    return outcome ?? 'not accepted';
  }
}

function describeWithAttention(order: Order): string {
  const warnings = order.attention.map((name) => `\n      attention: ${attentionSentences[name]}`);
  return describeOrder(order) + warnings.join('');
}

function describeEvent({ id, outcome, reason }: Event): string {
  return `event ${shortId(id)} is ${outcome}${reason === null ? '' : ` (${reason})`}`;
}
