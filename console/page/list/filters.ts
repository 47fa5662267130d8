import type { Attention, OrderStatus, Outcome, StoredOutcome } from '@payhooks/order-client';
import type { Query } from '../data/api.ts';
import { attentionWords, outcomeWords, statusWords } from '../parts/words.ts';

/** What a list is narrowed to; part of its address. */
export interface ListFilters {
  readonly status?: OrderStatus;
  readonly attention?: Attention | 'any';
  readonly outcome?: Outcome | StoredOutcome;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

export type Choices = Readonly<Record<string, string>>;

/** No API lists duplicates and recorded events; the pages of their events and orders show them. */
const { recorded: _, pending: __, ...listedOutcomes } = outcomeWords;

/** The filters with a closed set of values, and their words. */
export const choicesOf = {
  outcome: listedOutcomes as Choices,
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
  if (name !== 'since' && name !== 'until') return Object.hasOwn(choicesOf[name], text) ? text : undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** The parameters of `GET /orders`. */
export const orderQuery = ({ status, attention, since, until }: ListFilters): Query => ({
  ...{ status, attention, updated_since: since, updated_until: until },
});
