import { Icon } from '../parts/icon.tsx';

export function RemoveFilter({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  const words = `Remove the filter ${label}`;
  return (
    <button type="button" class="filter-remove" title={words} aria-label={words} onClick={onClick}>
      <Icon name="cross" size={12} />
    </button>
  );
}
