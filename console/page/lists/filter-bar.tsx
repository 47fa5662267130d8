import './lists.css';
import { useFilters } from '../data/filters.ts';
import { Icon } from '../parts/icon.tsx';
import { attentionWords, outcomeWords, statusWords } from '../parts/words.ts';
import { type ListFilters, shownOutcomes } from './filters.ts';
import { RemoveFilter } from './remove-filter.tsx';
import { TimeFilter } from './time-filter.tsx';

type Choices = readonly (readonly [value: string, words: string])[];

const statuses: Choices = Object.entries(statusWords);
const attentions: Choices = [['any', 'Needs attention'], ...Object.entries(attentionWords)];
const outcomes: Choices = shownOutcomes.map((outcome) => [outcome, outcomeWords[outcome]]);
const none = {
  outcome: undefined,
  status: undefined,
  attention: undefined,
  since: undefined,
  until: undefined,
};

/** Narrows a list; every filter is part of the address, and has a button that removes it. */
export function FilterBar(props: { readonly filters: ListFilters; readonly hasOutcome: boolean }) {
  const { filters, hasOutcome } = props;
  const { set } = useFilters();
  const isWaiting = filters.outcome !== undefined && filters.outcome !== 'applied';
  return (
    <fieldset class="filters">
      <legend class="visually-hidden">Filters</legend>
      {hasOutcome && <Choice name="outcome" label="Outcome" choices={outcomes} value={filters.outcome} />}
      {!isWaiting && <Choice name="status" label="Status" choices={statuses} value={filters.status} />}
      {!isWaiting && (
        <Choice name="attention" label="Attention" choices={attentions} value={filters.attention} />
      )}
      <TimeFilter filters={filters} />
      {Object.keys(filters).length > 1 && (
        <button type="button" class="link-button" onClick={() => set(none)}>
          Remove all
        </button>
      )}
    </fieldset>
  );
}

function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly choices: Choices;
  readonly value: string | undefined;
}) {
  const { name, label, choices, value = '' } = props;
  const { set } = useFilters();
  const isSet = value !== '';
  return (
    <span class={isSet ? 'filter is-set' : 'filter'}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      >
        <option value="">{isSet ? `Any ${label.toLowerCase()}` : label}</option>
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      {isSet ? (
        <RemoveFilter label={label} onClick={() => set({ [name]: undefined })} />
      ) : (
        <Icon name="down" size={12} />
      )}
    </span>
  );
}
