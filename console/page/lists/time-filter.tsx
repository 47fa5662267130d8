import { useId, useRef } from 'preact/hooks';
import { useFilters } from '../data/filters.ts';
import { Icon } from '../parts/icon.tsx';
import type { ListFilters } from './filters.ts';
import { RemoveFilter } from './remove-filter.tsx';

const hour = 3_600_000;
const spans = [
  ['Last hour', hour],
  ['Last 24 hours', 24 * hour],
  ['Last 7 days', 7 * 24 * hour],
] as const;

/** Since and until, by a span or to the minute. */
export function TimeFilter({ filters }: { readonly filters: ListFilters }) {
  const { set } = useFilters();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isSet = filters.since !== undefined || filters.until !== undefined;
  const place = (): void => {
    const { bottom = 0, left = 0 } = button.current?.getBoundingClientRect() ?? {};
    panel.current?.style.setProperty('top', `${bottom + 4}px`);
    panel.current?.style.setProperty('left', `${Math.max(8, Math.min(left, innerWidth - 288))}px`);
  };
  const choose = (milliseconds: number): void => {
    set({ since: new Date(Date.now() - milliseconds).toISOString(), until: undefined });
    panel.current?.hidePopover();
  };
  return (
    <>
      <span class={isSet ? 'filter is-set' : 'filter'}>
        <button ref={button} type="button" class="filter-button" popovertarget={id} onClick={place}>
          {isSet ? timeWords(filters) : 'Time'}
        </button>
        {isSet ? (
          <RemoveFilter label="Time" onClick={() => set({ since: undefined, until: undefined })} />
        ) : (
          <Icon name="down" size={12} />
        )}
      </span>
      <div ref={panel} id={id} popover="auto" class="popover">
        {spans.map(([words, milliseconds]) => (
          <button key={words} type="button" class="menu-item" onClick={() => choose(milliseconds)}>
            <Icon name="clock" />
            {words}
          </button>
        ))}
        <Time label="Since" value={filters.since} onChange={(since) => set({ since })} />
        <Time label="Until" value={filters.until} onChange={(until) => set({ until })} />
        <p class="popover-note">Selects orders by the time of their latest change.</p>
      </div>
    </>
  );
}

const shortTime = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

function timeWords({ since, until }: ListFilters): string {
  const text = (iso: string): string => shortTime.format(new Date(iso));
  if (since === undefined) return `Before ${text(until ?? '')}`;
  return until === undefined ? `Since ${text(since)}` : `${text(since)} – ${text(until)}`;
}

interface TimeProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (iso: string | undefined) => void;
}

function Time({ label, value, onChange }: TimeProps) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <input
        class="input"
        type="datetime-local"
        value={value === undefined ? '' : localMinute(value)}
        onChange={({ currentTarget }) => {
          const at = new Date(currentTarget.value);
          onChange(Number.isNaN(at.getTime()) ? undefined : at.toISOString());
        }}
      />
    </label>
  );
}

/** The form that an input of a local date and time takes. */
function localMinute(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
