import type { Mode } from '@payhooks/order-client';
import { useLocation } from 'preact-iso/router';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { useStack, useWaitingCount } from '../data/use-api.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { counted } from '../parts/texts.ts';

interface Place {
  readonly name: string;
  readonly icon: IconName;
  readonly href: (mode: Mode) => string;
}

const places: readonly Place[] = [
  { name: 'Overview', icon: 'overview', href: href.overview },
  { name: 'Events', icon: 'events', href: (mode) => href.events(mode) },
  { name: 'Orders', icon: 'orders', href: (mode) => href.orders(mode) },
  { name: 'Waiting', icon: 'waiting', href: href.waiting },
  { name: 'Alarms', icon: 'alarms', href: href.alarms },
  { name: 'Laboratory', icon: 'laboratory', href: href.laboratory },
];

/** A rail on the left; a bar at the bottom of a phone. */
export function Navigation() {
  const mode = useMode();
  const { path } = useLocation();
  const { data: stack } = useStack();
  const waiting = useWaitingCount(mode);
  const shown = places.filter(({ name }) => name !== 'Laboratory' || stack?.laboratory === true);
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {shown.map(({ name, icon, href: address }) => {
          const target = address(mode);
          return (
            <li key={name}>
              <a class="place" href={target} aria-current={isAt(path, target) ? 'page' : undefined}>
                <Icon name={icon} size={18} />
                <span class="place-name">{name}</span>
                {name === 'Waiting' && waiting > 0 && (
                  <span class="count-badge" title={`${counted(waiting, 'item')} for a person`}>
                    {waiting > 999 ? '999+' : waiting}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function isAt(path: string, target: string): boolean {
  const [place = ''] = target.split('?');
  return place === '/' ? path === '/' || path === '/console' : path === place || path.startsWith(`${place}/`);
}
