import type { Attention, OrderStatus, StoredOutcome } from '@payhooks/order-client';
import { attentionWords, outcomeWords, statusWords } from '../parts/words.ts';

/** What a list is narrowed to; part of its address. */
export interface ListFilters {
  readonly status?: OrderStatus;
  readonly attention?: Attention | 'any';
  readonly outcome?: StoredOutcome;
  /** Of the id of the event, its order or its transaction. */
  readonly prefix?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

export type Choices = Readonly<Record<string, string>>;

/** Only an order shows that an event is not applied yet. */
const { pending: _, ...storedOutcomes } = outcomeWords;

/** The filters with a closed set of values, and their words. */
export const choicesOf = {
  outcome: storedOutcomes as Choices,
  status: statusWords as Choices,
  attention: { any: 'Needs attention', ...attentionWords } as Choices,
};
export type ChoiceName = keyof typeof choicesOf;
export const choiceNames: readonly ChoiceName[] = ['outcome', 'status', 'attention'];

/** The filters of an address that a list has. What it does not understand is left out. */
export function readFilters(
  query: Readonly<Record<string, string>>,
  names: readonly (keyof ListFilters)[],
): ListFilters {
  const found = names.map((name) => [name, readValue(name, query[name])] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function readValue(name: keyof ListFilters, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (name === 'prefix') return text.trim() || undefined;
  if (name !== 'since' && name !== 'until') return Object.hasOwn(choicesOf[name], text) ? text : undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
