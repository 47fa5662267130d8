import { type IconName, paths } from './icons.ts';

/** Decoration: the words next to it carry the meaning. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of payhooks: a hook that holds a coin. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M9 5v8.5a4 4 0 0 0 8 0V12" />
      <circle cx="17" cy="8" r="2" />
    </svg>
  );
}
