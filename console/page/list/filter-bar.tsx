import { useFilters } from '../data/address.ts';
import { capitalised } from '../parts/texts.ts';
import { type ChoiceName, choiceNames, choicesOf, type ListFilters } from './filters.ts';

const hour = 3_600_000;
const spans: Readonly<Record<string, number>> = {
  'Last hour': hour,
  'Last 24 hours': 24 * hour,
  'Last 7 days': 7 * 24 * hour,
};

interface FilterBarProps {
  readonly filters: ListFilters;
  readonly names: readonly (keyof ListFilters)[];
}

/** Narrows a list; every filter is part of the address. */
export function FilterBar({ filters, names }: FilterBarProps) {
  const { set } = useFilters();
  const shown = choiceNames.filter((name) => names.includes(name));
  return (
    <fieldset class="row filters">
      <legend class="visually-hidden">Filters</legend>
      {shown.map((name) => (
        <Choice key={name} name={name} value={filters[name]} />
      ))}
      {names.includes('prefix') && (
        <input
          class={filters.prefix === undefined ? 'input' : 'input is-set'}
          type="search"
          aria-label="Begin of an event, order or transaction id"
          placeholder="Id begins with…"
          spellcheck={false}
          // Not `value`: each refresh of the list would take away what is being typed.
          defaultValue={filters.prefix ?? ''}
          key={filters.prefix}
          onChange={({ currentTarget }) => set({ prefix: currentTarget.value })}
        />
      )}
      <select
        class="input"
        aria-label="Time"
        value=""
        onChange={({ currentTarget: { value } }) =>
          set({ since: new Date(Date.now() - (spans[value] ?? 0)).toISOString(), until: undefined })
        }
      >
        <option value="">Any time</option>
        {Object.keys(spans).map((words) => (
          <option key={words}>{words}</option>
        ))}
      </select>
      {(filters.since ?? filters.until) !== undefined && (
        <>
          <Time label="Since" value={filters.since} onChange={(since) => set({ since })} />
          <Time label="Until" value={filters.until} onChange={(until) => set({ until })} />
        </>
      )}
      {Object.keys(filters).length > 0 && (
        <button
          type="button"
          class="button small"
          onClick={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Remove all filters
        </button>
      )}
    </fieldset>
  );
}

function Choice({ name, value = '' }: { readonly name: ChoiceName; readonly value: string | undefined }) {
  const { set } = useFilters();
  return (
    <select
      class={value === '' ? 'input' : 'input is-set'}
      aria-label={capitalised(name)}
      value={value}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    >
      <option value="">Any {name}</option>
      {Object.entries(choicesOf[name]).map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (iso: string | undefined) => void;
}

function Time({ label, value, onChange }: TimeProps) {
  return (
    <label class="row">
      <span class="muted">{label}</span>
      <input
        class={value === undefined ? 'input' : 'input is-set'}
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
