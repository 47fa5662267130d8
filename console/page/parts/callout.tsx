import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

const icons = {
  info: 'info',
  good: 'check',
  attention: 'alert',
  waiting: 'waiting',
  bad: 'refused',
} as const satisfies Record<string, IconName>;

export type Tone = keyof typeof icons;

export interface CalloutProps {
  readonly tone: Tone;
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A message in its place: what is the case, and what to do about it. */
export function Callout({ tone, title, actions, children }: CalloutProps) {
  return (
    <div class={`callout ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div class="stack tight">
        {title !== undefined && <p class="callout-title strong">{title}</p>}
        {children}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  );
}

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A place that has nothing to show: why, and what would fill it. */
export function Empty({ icon, title, actions, children }: EmptyProps) {
  return (
    <div class="stack empty">
      <Icon name={icon} size={24} />
      <p class="empty-title strong">{title}</p>
      {children !== undefined && <div class="muted">{children}</div>}
      {actions}
    </div>
  );
}
