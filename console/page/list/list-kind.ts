import type { Mode } from '@payhooks/order-client';
import type { Query } from '../data/api.ts';
import type { ListFilters } from './filters.ts';
import type { ListSource } from './pages.ts';
import type { Column } from './table.tsx';

/** A list page as data: what it reads, shows and can be narrowed to. */
export interface ListKind<Row> extends ListSource<Row> {
  readonly title: string;
  /** Of a row, such as `event`. */
  readonly noun: string;
  readonly filters: readonly (keyof ListFilters)[];
  /** The parameters of the route. */
  query(filters: ListFilters): Query;
  columns(mode: Mode): readonly Column<Row>[];
  /** Of a row in its state. */
  keyOf(row: Row): string;
  hrefOf(row: Row, mode: Mode): string;
  needsPerson(row: Row): boolean;
  /** What a row does that needs a person, such as `waits for a person`, and several of them. */
  readonly need: readonly [one: string, many: string];
  /** Marks the rows that need a person. */
  readonly isMarked?: boolean;
  /** What a chosen time selects. */
  readonly timeNote: string;
  /** When there is nothing at all. */
  readonly nothing: { readonly title: string; readonly text: string };
}
