// biome-ignore-all lint/a11y/useSemanticElements: a <table> cannot place its rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are no controls.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useMediaQuery } from './media-query.ts';
import { useVirtualRows } from './virtual-rows.ts';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** A track of CSS grid, such as `minmax(120px, 1fr)`; without it, the column is for cards only. */
  readonly width?: string;
  readonly align?: 'end';
  /** Left out where it would cut the others. */
  readonly isWideOnly?: boolean;
  /** Its cell holds the link of the row; the first one by default. */
  readonly isLink?: boolean;
  /** On a narrow screen, in cards: `title` and `side` of line one, `meta` (default) and `end` of line two. */
  readonly card?: CardPlace;
}

type CardPlace = 'title' | 'side' | 'meta' | 'end' | 'none';

export interface VirtualTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The whole row is a link. */
  readonly rowHref?: (row: Row) => string | undefined;
  /** Marks a row, such as `is-waiting`. */
  readonly rowClass?: (row: Row) => string | undefined;
  /** The last rows are near: load more. */
  readonly onEndReached?: (() => void) | undefined;
  /** Below the last row. */
  readonly footer?: ComponentChildren;
}

const rowHeight = 41;
const cardHeight = 69;

/** A table of any length that scrolls with the page; only rows on the screen are in the document. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowKey, onEndReached, footer } = props;
  const isNarrow = useMediaQuery('(max-width: 1199px)');
  const isWide = useMediaQuery('(min-width: 1400px)');
  const size = isNarrow ? cardHeight : rowHeight;
  const body = useRef<HTMLDivElement>(null);
  const { items, height, offset } = useVirtualRows({ body, count: rows.length, size });
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 20) onEndReached?.();
  }, [last, rows.length, onEndReached]);
  const shown = useMemo(
    () => columns.filter((column) => (isNarrow ? column.card !== 'none' : isTrack(column, isWide))),
    [columns, isNarrow, isWide],
  );
  const tracks = shown.map(({ width }) => width).join(' ');
  return (
    <div class={isNarrow ? 'table is-cards' : 'table'}>
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <TableHead columns={shown} style={isNarrow ? {} : { gridTemplateColumns: tracks }} />
        <div
          class="table-body"
          role="rowgroup"
          ref={body}
          style={{ height: `${height}px` }}
          onKeyDown={moveFocus}
          onClick={followRow}
        >
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TableRow
                key={rowKey(row)}
                row={row}
                index={index}
                columns={shown}
                tracks={isNarrow ? undefined : tracks}
                start={start - offset}
                height={size}
                href={props.rowHref?.(row)}
                mark={props.rowClass?.(row)}
              />
            );
          })}
        </div>
      </div>
      {/* A table holds rows alone. */}
      {footer}
    </div>
  );
}

const isTrack = <Row,>({ width, isWideOnly }: Column<Row>, isWide: boolean): boolean =>
  width !== undefined && (isWide || isWideOnly !== true);

function TableHead<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly style: Readonly<Record<string, string>>;
}) {
  return (
    <div class="table-head" role="row" aria-rowindex={1} style={props.style}>
      {props.columns.map(({ key, header, align }) => (
        <span key={key} class={align === 'end' ? 'cell align-end' : 'cell'} role="columnheader">
          {header}
        </span>
      ))}
    </div>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** `undefined`: the row is a card. */
  readonly tracks: string | undefined;
  readonly start: number;
  readonly height: number;
  readonly href: string | undefined;
  readonly mark: string | undefined;
}

/** Rendered again only when it changes, and not whenever the page scrolls. */
class TableRow<Row> extends Component<TableRowProps<Row>> {
  override shouldComponentUpdate(next: TableRowProps<Row>): boolean {
    const names = Object.keys(next) as (keyof TableRowProps<Row>)[];
    return names.some((name) => next[name] !== this.props[name]);
  }

  override render(): ComponentChildren {
    const { index, columns, tracks, start, height, mark = '' } = this.props;
    const isCard = tracks === undefined;
    const style = {
      transform: `translateY(${start}px)`,
      height: `${height}px`,
      gridTemplateColumns: tracks ?? '',
    };
    const line = (...places: readonly CardPlace[]): ComponentChildren => (
      <span class="card-line" role="presentation">
        {columns.filter(({ card = 'meta' }) => places.includes(card)).map(this.cell)}
      </span>
    );
    return (
      <div class={`table-row ${mark}`} role="row" aria-rowindex={index + 2} data-index={index} style={style}>
        {isCard ? [line('title', 'side'), line('meta', 'end')] : columns.map(this.cell)}
      </div>
    );
  }

  readonly cell = (column: Column<Row>): ComponentChildren => {
    const { row, columns, tracks, href } = this.props;
    const linked = columns.find(({ isLink }) => isLink) ?? columns[0];
    return (
      <span key={column.key} class={classOf(column, tracks === undefined)} role="cell">
        {column === linked && href !== undefined ? (
          <a class="row-link" href={href}>
            {column.cell(row)}
          </a>
        ) : (
          column.cell(row)
        )}
      </span>
    );
  };
}

function classOf<Row>({ align, card = 'meta' }: Column<Row>, isCard: boolean): string {
  if (isCard) return `cell card-${card}`;
  return align === 'end' ? 'cell align-end' : 'cell';
}

/** Text with a title lies above the link of its row and follows it. */
function followRow(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest('a, button') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  const link = event.target.closest('.table-row')?.querySelector('.row-link');
  link?.dispatchEvent(new MouseEvent('click', event));
}

/** Arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const row = document.activeElement?.closest<HTMLElement>('.table-row');
  if (step === 0 || row === null || row === undefined) return;
  const target = event.currentTarget.querySelector<HTMLElement>(
    `[data-index="${Number(row.dataset['index']) + step}"] .row-link`,
  );
  if (target === null) return;
  event.preventDefault();
  target.focus({ preventScroll: true });
  target.closest('.table-row')?.scrollIntoView({ block: 'nearest' });
}
