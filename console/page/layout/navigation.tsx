import type { Approvals, Mode } from '@payhooks/order-client';
import { useLocation } from 'preact-iso/router';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { useApi, useAttention, useStack, useWaitingCount } from '../data/use-api.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { counted } from '../parts/texts.ts';
import { attentionText } from '../parts/words.ts';

interface Place {
  readonly name: string;
  readonly icon: IconName;
  readonly href: (mode: Mode) => string;
}

const places: readonly Place[] = [
  { name: 'Overview', icon: 'overview', href: href.overview },
  { name: 'Events', icon: 'events', href: (mode) => href.events(mode) },
  { name: 'Refused', icon: 'refused', href: href.refused },
  { name: 'Orders', icon: 'orders', href: (mode) => href.orders(mode) },
  { name: 'Waiting', icon: 'waiting', href: href.waiting },
  { name: 'Approvals', icon: 'person', href: href.approvals },
  { name: 'Alarms', icon: 'alarms', href: href.alarms },
  { name: 'Laboratory', icon: 'laboratory', href: href.laboratory },
];

/** A rail on the left; a bar at the bottom of a phone. */
export function Navigation() {
  const mode = useMode();
  const { path } = useLocation();
  const { data: stack } = useStack();
  const { data: approvals } = useApi<Approvals>('/operations/approvals', { mode });
  const { required = [], proposals = [] } = approvals ?? {};
  const isShown: Readonly<Record<string, boolean>> = {
    Laboratory: stack?.laboratory === true,
    Approvals: required.length + proposals.length > 0,
  };
  const shown = places.filter(({ name }) => isShown[name] ?? true);
  const attention = useAttention(mode);
  const counts: Readonly<Record<string, number>> = {
    Waiting: useWaitingCount(mode),
    Approvals: proposals.length,
  };
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {shown.map(({ name, icon, href: address }) => {
          const target = address(mode);
          const count = counts[name] ?? 0;
          return (
            <li key={name}>
              <a class="place" href={target} aria-current={isAt(path, target) ? 'page' : undefined}>
                <Icon name={icon} size={18} />
                <span class="place-name">{name}</span>
                {count > 0 && (
                  <span class="count-badge" title={`${counted(count, 'item')} for a person`}>
                    {shownCount(count)}
                  </span>
                )}
              </a>
              {name === 'Orders' && attention !== undefined && (
                <a
                  class="count-badge of-attention"
                  href={href.orders(mode, { attention: 'any' })}
                  title={attentionText(attention)}
                  aria-label={attentionText(attention)}
                >
                  {shownCount(attention.count)}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const shownCount = (count: number): string => (count > 999 ? '999+' : `${count}`);

function isAt(path: string, target: string): boolean {
  const [place = ''] = target.split('?');
  return place === '/' ? path === '/' || path === '/console' : path === place || path.startsWith(`${place}/`);
}
