import type { History, Row } from './history.ts';

interface OrderView {
  readonly status?: string;
  readonly attention?: readonly string[];
}

const sizeOf = (row: Row | undefined): number =>
  (row?.['facts']?.['SS'] as unknown[] | undefined)?.length ?? 0;

/** How often each thing happened in a run. */
export function counts(history: History): Readonly<Record<string, number>> {
  const { deliveries, calls, invocations } = history;
  const tally = new Map<string, number>(Object.entries(history.counters));
  const add = (name: string, times = 1): void => void tally.set(name, (tally.get(name) ?? 0) + times);

  add('webhooks', deliveries.length);
  for (const { attempts } of deliveries) {
    const kinds = attempts.map(({ outcome }) =>
      outcome.kind === 'status' ? String(outcome.status) : outcome.kind,
    );
    add('attempts', kinds.length);
    if (kinds.includes('202')) add('acknowledged');
    if (kinds.includes('202') && kinds.includes('unknown')) add('acknowledged_after_unknown');
    if (kinds.includes('202') && kinds.includes('503')) add('acknowledged_after_503');
  }
  add('calls', calls.length);
  for (const { stage, fault, isCommitted } of calls) {
    if (fault === undefined) continue;
    add('faults');
    add(`fault_${fault}`);
    if (isCommitted) add(`lost_response_${stage}`);
  }
  for (const { stage, end, version } of invocations) {
    add(`code_${version}`);
    if (end !== 'returned') add(`${end}_${stage}`);
    if (end === 'killed') add('kills');
  }
  for (const { outcome } of history.finalReads.orders) {
    const { status, attention = [] } = (outcome.kind === 'status' ? outcome.body : {}) as OrderView;
    if (typeof status === 'string') add(`order_${status}`);
    for (const name of attention) add(`attention_${name}`);
  }
  for (const { detail } of history.bus) {
    const { current } = JSON.parse(detail) as { current: OrderView };
    for (const name of current.attention ?? []) add(`published_${name}`);
  }
  for (const { outcome } of history.tables.events) if (outcome) add(`event_${outcome['S']}`);
  for (const { outcome } of history.finalReads.waiting) {
    const { events = [] } = (outcome.kind === 'status' ? outcome.body : {}) as {
      events?: { kind: string }[];
    };
    for (const { kind } of events) add(`waiting_${kind}`);
  }
  const facts = history.tables.orders.map((row) => (row['facts']?.['SS'] ?? []) as string[]);
  add('full_orders', facts.filter((texts) => texts.includes('["full"]')).length);
  const left = history.streamRecords.filter(({ before, after }) => sizeOf(before) > sizeOf(after));
  add('facts_left', left.length);
  add('expired_rows', history.expiredRows.length);
  return Object.fromEntries(tally);
}
