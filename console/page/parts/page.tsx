import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

export interface PageProps {
  readonly title: ComponentChildren;
  /** For the tab, when `title` is not text. */
  readonly tabTitle?: string;
  /** The answer of the page, in a sentence. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

let focusedPath: string | undefined;

/** A page: its title, its answer in one line, what can be done, then the details. */
export function Page({ title, tabTitle, lead, actions, children }: PageProps) {
  const { path } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const text = tabTitle ?? (typeof title === 'string' ? title : undefined);
  useEffect(() => {
    if (text !== undefined) document.title = `${text} · payhooks`;
  }, [text]);
  useEffect(() => {
    // After a navigation, keyboards and screen readers start at the title; after a load, at the top.
    if (focusedPath !== undefined && focusedPath !== path) heading.current?.focus({ preventScroll: true });
    focusedPath = path;
  }, [path]);
  return (
    <div class="stack wider">
      <header class="row spread">
        <div class="stack tight item">
          <h1 class="page-title row" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="page-lead clip">{lead}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export interface SectionProps {
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Content without padding, such as a table. */
  readonly flush?: boolean;
  readonly children?: ComponentChildren;
}

/** A card with a heading. */
export function Section({ title, note, actions, flush = false, children }: SectionProps) {
  return (
    <section class="section">
      <header class="row">
        <h2>{title}</h2>
        {note !== undefined && <span class="small faint">{note}</span>}
        {actions !== undefined && <div class="row push">{actions}</div>}
      </header>
      <div class={flush ? 'stack flush' : 'stack'}>{children}</div>
    </section>
  );
}
