/**
 * What must happen sometimes: a set of seeds in which one of these never happened proves less than it seems,
 * and fails. Each is counted where it happens.
 */
export const mustHappen: readonly string[] = [
  ...kindsOf(
    'fault',
    'throttle error-500 error-503 reset-before reset-after timeout slow partial malformed repeated conflict',
  ),
  ...kindsOf('lost_response', 'verifier consumer order-feed order-query operations waiting-count'),
  ...kindsOf('killed', 'verifier consumer order-feed order-query operations waiting-count'),
  ...kindsOf('attempt', '202 403 413 500 503 refused unknown'),
  ...kindsOf('noise', 'forged forged_replayed_signature unsigned malformed_signature genuine_unreadable'),
  ...kindsOf('noise', 'genuine_oversize'),
  ...kindsOf('code', 'old new'),
  ...kindsOf('deployment_of', 'places meanings'),
  ...kindsOf('published', 'pending failed paid partially_refunded refunded'),
  ...kindsOf('published', 'multiple_paid_transactions refund_without_payment refund_exceeds_payment'),
  ...kindsOf(
    'published',
    'currency_mixed conflicting_event transaction_in_two_orders disputed too_many_events failure_and_payment',
  ),
  ...kindsOf('metric', 'unassigned quarantined order_refused conflict unrecognised event_name'),
  ...kindsOf('act', 'admit dismiss resolve replay erase'),
  ...kindsOf('act', 'admit_dry_run dismiss_dry_run resolve_dry_run replay_dry_run erase_dry_run'),
  ...kindsOf('stream', 'batch_bisected batch_continued records_discarded'),
  ...kindsOf('key', 'rotated revoked former_used'),
  ...[
    'secret_unreadable',
    'dead_letters_redriven',
    'judged_by_both',
    'replayed_on_arrival',
    'delivered_again',
    'reordered_story',
    'act_busy',
    'expired_rows',
    'quiet_days',
  ],
];

function kindsOf(prefix: string, names: string): string[] {
  return names.split(' ').map((name) => `${prefix}_${name}`);
}

/** The names of what never happened. */
export function neverHappened(totals: Readonly<Record<string, number>>): string[] {
  return mustHappen.filter((name) => (totals[name] ?? 0) === 0);
}
