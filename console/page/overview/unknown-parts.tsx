import type { UnknownPart } from '../../contract.ts';
import { Callout } from '../parts/callout.tsx';

/** What could not be read, so that its absence is not taken for calm. */
export function UnknownParts({ unknown }: { readonly unknown: readonly UnknownPart[] }) {
  const isDenied = unknown.every((part) => part.not_allowed);
  return (
    <Callout
      tone="attention"
      title={isDenied ? 'Your credentials may not read everything' : 'Not everything could be read'}
    >
      <ul>
        {unknown.map(({ part, message }) => (
          <li key={part}>
            <strong>{part}</strong>: {message}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
