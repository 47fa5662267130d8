import { durationText, exactTime } from '../parts/texts.ts';
import { useNow } from '../parts/values.tsx';

/** How long an alarm has been in its state: `on for 5 h 2 min`. */
export function OnFor({ since, word = 'on' }: { readonly since: string | null; readonly word?: string }) {
  const now = useNow();
  const at = Date.parse(since ?? '');
  if (Number.isNaN(at)) return word;
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {word} for {durationText(Math.max(1_000, now - at))}
    </time>
  );
}
