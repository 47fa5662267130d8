import type { Mode } from '@payhooks/order-client';
import type { ListFilters } from './filters.ts';
import type { ListSources, LoadedRows } from './pages.ts';
import type { Column } from './table.tsx';

/** A list page as data: what it reads, shows and can be narrowed to. */
export interface ListKind<Row> {
  readonly title: string;
  /** Of a row, such as `event`. */
  readonly noun: string;
  readonly filters: readonly (keyof ListFilters)[];
  sources(filters: ListFilters, mode: Mode): ListSources;
  rows(loaded: LoadedRows, filters: ListFilters): readonly Row[];
  columns(mode: Mode): readonly Column<Row>[];
  keyOf(row: Row): string;
  hrefOf(row: Row, mode: Mode): string;
  needsPerson(row: Row): boolean;
  /** What a row does that needs a person, such as `waits for a person`, and several of them. */
  readonly need: readonly [one: string, many: string];
  /** Marks the rows that need a person. */
  readonly isMarked?: boolean;
  /** When there is nothing at all. */
  readonly nothing: { readonly title: string; readonly text: string };
}
