import type { ComponentChildren } from 'preact';

/** Names and values; what has no value is left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  const shown = Object.entries(facts).filter(([, value]) => value !== false && value !== null);
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name} class="pairs">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
