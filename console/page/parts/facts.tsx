import type { ComponentChildren } from 'preact';

export interface FactProps {
  readonly name: string;
  readonly children?: ComponentChildren;
}

/** Names and values, two columns on a wide screen. */
export function Facts({ children }: { readonly children?: ComponentChildren }) {
  return <dl class="properties">{children}</dl>;
}

export function Fact({ name, children }: FactProps) {
  return (
    <div class="property">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
