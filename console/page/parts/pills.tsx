import type {
  Attention,
  Mode,
  OrderStatus,
  Outcome,
  StoredOutcome,
  WaitingCount,
} from '@payhooks/order-client';
import { attentionSentences } from '../../contract/texts.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { attentionWords, modeWords, outcomeWords, statusWords, waitingWords, wordFor } from './words.ts';

const statusIcons: Readonly<Record<OrderStatus, IconName>> = {
  pending: 'clock',
  failed: 'cross',
  paid: 'check',
  partially_refunded: 'half',
  refunded: 'return',
};

interface PillProps {
  readonly tone: string;
  readonly icon: IconName;
  readonly title?: string | undefined;
  readonly text: string;
}

/** An icon and a word on a tint: colour never stands alone. `tone` is a class of pills.css. */
export function Pill({ tone, icon, title, text }: PillProps) {
  return (
    <span class={`pill ${tone}`} title={title}>
      <Icon name={icon} size={12} />
      <span>{text}</span>
    </span>
  );
}

/** The status of an order or of a transaction. */
export function StatusPill({ status }: { readonly status: OrderStatus }) {
  return (
    <Pill
      tone={`status-${status}`}
      icon={statusIcons[status] ?? 'circle'}
      text={wordFor(statusWords, status)}
    />
  );
}

/** `before → after` of an event: one pill when the event changed nothing, a dash when unknown. */
export function StatusChange(props: {
  readonly before: OrderStatus | null | undefined;
  readonly after: OrderStatus | null | undefined;
}) {
  const { before, after } = props;
  if (after === null || after === undefined) return <span class="faint">—</span>;
  if (before === null || before === undefined || before === after) return <StatusPill status={after} />;
  return (
    <span class="badges">
      <StatusPill status={before} />
      <Icon name="arrow" size={12} />
      <span class="visually-hidden"> became </span>
      <StatusPill status={after} />
    </span>
  );
}

/** Badges for all of `attention`; with `max`, the rest as a number whose title names them. */
export function AttentionBadges(props: { readonly attention: readonly Attention[]; readonly max?: number }) {
  const { attention, max = attention.length } = props;
  const rest = attention.slice(max);
  if (attention.length === 0) return null;
  return (
    <span class="badges">
      {attention.slice(0, max).map((one) => (
        <Pill
          key={one}
          tone="attention"
          icon="alert"
          text={wordFor(attentionWords, one)}
          title={wordFor(attentionSentences, one)}
        />
      ))}
      {rest.length > 0 && (
        <Pill
          tone="attention"
          icon="alert"
          text={`+${rest.length}`}
          title={rest.map((one) => wordFor(attentionWords, one)).join(', ')}
        />
      )}
    </span>
  );
}

const outcomeLooks: Readonly<Record<Outcome | StoredOutcome, readonly [string, IconName]>> = {
  applied: ['outcome-applied', 'check'],
  pending: ['waiting', 'clock'],
  recorded: ['neutral', 'check'],
  unassigned: ['waiting', 'waiting'],
  conflict: ['attention', 'alert'],
  quarantined: ['waiting', 'lock'],
  unrecognised: ['waiting', 'info'],
  unsealed: ['attention', 'lock'],
};

/** What became of a body. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome | StoredOutcome }) {
  const [tone, icon] = Object.hasOwn(outcomeLooks, outcome)
    ? outcomeLooks[outcome]
    : (['neutral', 'circle'] as const);
  return <Pill tone={tone} icon={icon} text={wordFor(outcomeWords, outcome)} />;
}

/** Why something waits for a person. */
export function WaitingBadge({ kind }: Pick<WaitingCount, 'kind'>) {
  return <Pill tone="waiting" icon="waiting" text={wordFor(waitingWords, kind)} />;
}

export function ModeTag({ mode }: { readonly mode: Mode }) {
  return <span class={`mode-tag mode-${mode}`}>{wordFor(modeWords, mode)}</span>;
}
