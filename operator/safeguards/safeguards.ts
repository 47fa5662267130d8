import { eventMappings } from './event-mappings.ts';
import { logGroups } from './log-groups.ts';
import { metricFilters } from './metric-filters.ts';
import type { Safeguard } from './safeguard.ts';
import { schedules } from './schedules.ts';
import { tables } from './tables.ts';

/** Checked by `smoke`, and restored by `repair`, in this order: a metric filter needs its log group. */
export const safeguards: readonly Safeguard[] = [eventMappings, tables, logGroups, metricFilters, schedules];
