// biome-ignore-all lint/a11y/useSemanticElements: the rows of a <table> cannot become cards on a phone.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are no controls.
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** A track of CSS grid, such as `minmax(120px, 1fr)`. */
  readonly width: string;
  readonly align?: 'end';
  /** Its cell holds the link of the row. */
  readonly isLink?: boolean;
  /** On a narrow screen: in the first line of a card, in the second one (default), or left out. */
  readonly card?: 'title' | 'side' | 'none';
}

export interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** A click anywhere on the row follows it. */
  readonly hrefOf: (row: Row) => string;
  readonly isMarked?: (row: Row) => boolean;
}

/** A table whose rows are cards on a narrow screen. */
export function Table<Row>({ label, columns, rows, keyOf, hrefOf, isMarked }: TableProps<Row>) {
  const style = { '--tracks': columns.map(({ width }) => width).join(' ') };
  return (
    <div class="table" role="table" aria-label={label} style={style}>
      <div class="table-head" role="row">
        {columns.map(({ header, align = '' }) => (
          <span key={header} class={`cell align-${align}`} role="columnheader">
            {header}
          </span>
        ))}
      </div>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the link in it is for keyboards.
        <div
          key={keyOf(row)}
          class={isMarked?.(row) ? 'table-row is-marked' : 'table-row'}
          role="row"
          onClick={followRow}
        >
          {columns.map(({ header, cell, isLink, align = '', card = 'line' }) => (
            <span key={header} class={`cell align-${align} card-${card}`} role="cell">
              {isLink ? (
                <a class="row-link" href={hrefOf(row)}>
                  {cell(row)}
                </a>
              ) : (
                cell(row)
              )}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

function followRow(event: MouseEvent & { readonly currentTarget: HTMLElement }): void {
  if (!(event.target instanceof Element) || event.target.closest('a, button') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  event.currentTarget.querySelector('.row-link')?.dispatchEvent(new MouseEvent('click', event));
}
