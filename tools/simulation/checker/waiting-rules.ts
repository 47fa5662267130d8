import type { HttpCall } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { meaningOfName } from './meanings.ts';
import { modeOf, responseOf } from './order-views.ts';
import { keyOfMessage } from './record-rules.ts';
import type { Mode } from './signed-body.ts';
import type { StoredBody } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

/** The metric whose alarm stays on while rows of a kind wait (docs/runbook.md). */
const gauges: Readonly<Record<string, string>> = {
  unassigned: 'EventsUnassigned',
  quarantined: 'EventsQuarantined',
  order_refused: 'OrdersFull',
  conflict: 'EventConflicts',
  unrecognised: 'EventsUnrecognised',
  event_name: 'EventNamesUnknown',
};
const waits = violationsOf('waiting');
const left = violationsOf('drained');

/** What a person must judge: each has a kind, is listed, and is counted. */
export function waitingViolations(evidence: Evidence): readonly Violation[] {
  const rows = evidence.stored.bodies.map((row) => ({
    ...row,
    kind: kindOf(evidence, row),
    name: undefined,
  }));
  const { eventMeanings } = evidence.history.settings;
  const names = evidence.stored.names.map(({ name, mode, waiting, judged }) => {
    const kind = judged === undefined ? 'event_name' : undefined;
    return { mode, waiting, name, kind, eventId: undefined, sha256: undefined };
  });
  const all = [...rows, ...names];
  const listed = new Set(evidence.history.finalReads.waiting.flatMap(listedKeys));
  const unlisted = all.flatMap(({ mode, waiting, kind, name, eventId, sha256 }) => {
    const subject = name === undefined ? `event ${quoted(eventId ?? sha256 ?? '')}` : `name ${quoted(name)}`;
    const what = `The ${mode} ${subject}`;
    if (waiting !== kind)
      return `${what} waits as "${waiting ?? 'nothing'}"; it should as "${kind ?? 'nothing'}".`;
    if (kind === undefined || listed.has(listKey(mode, kind, sha256 ?? name ?? ''))) return [];
    return `${what} waits as "${kind}", and the list of what waits does not show it.`;
  });
  const counted = all.filter(
    ({ name }) => name === undefined || meaningOfName(name, eventMeanings) === undefined,
  );
  return waits(...unlisted, ...missingNames(evidence), ...uncounted(evidence, counted));
}

/** Why a row should wait; `undefined` for one that should not. */
function kindOf({ expected, known }: Evidence, row: StoredBody): string | undefined {
  const { judged, waiting, place, mode } = row;
  if (row.reason === 'order_refused' && place === 'event') return judged ? waiting : 'order_refused';
  if (judged?.verdict === 'dismissed') return undefined;
  // A claim keeps the row waiting until its admission is complete.
  if (judged?.verdict === 'admitted') return waiting;
  if (place === 'conflict') return 'conflict';
  if (place === 'quarantine') return 'quarantined';
  if (place === 'unrecognised') return 'unrecognised';
  const recorded = known.find((one) => one.row === row)?.recorded;
  if (recorded === undefined || place !== 'event') return undefined;
  const outcomes = [expected[mode].all, expected[mode].settled].map((one) => one.outcomeOf(recorded).outcome);
  if (new Set(outcomes).size > 1) return waiting;
  return outcomes[0] === 'unassigned' ? 'unassigned' : undefined;
}

function missingNames({ known, stored }: Evidence): readonly string[] {
  const present = new Set(stored.names.map(({ mode, name }) => `${mode} ${name}`));
  const needed = known.flatMap(({ row, recorded }) =>
    recorded && recorded.event.meaning === undefined ? `${row.mode} ${recorded.event.name}` : [],
  );
  return [...new Set(needed)]
    .filter((name) => !present.has(name))
    .map((name) => `The name of a ${name} event has no meaning, and no row makes a person look at it.`);
}

function uncounted(
  { history }: Evidence,
  rows: readonly { readonly waiting: string | undefined }[],
): readonly string[] {
  return Object.entries(gauges).flatMap(([kind, metric]) => {
    const count = rows.filter(({ waiting }) => waiting === kind).length;
    const last = history.metrics.findLast(({ name }) => name === metric)?.value ?? 0;
    return last === count
      ? []
      : `${count} rows wait as "${kind}", and the metric ${metric} ended with ${last}.`;
  });
}

interface WaitingPage {
  readonly events: readonly {
    readonly kind: string;
    readonly event_name: string | null;
    readonly body_sha256: string | null;
  }[];
}

const listKey = (mode: Mode, kind: string, id: string): string => `${mode} ${kind} ${id}`;
const listedKeys = (call: HttpCall): readonly string[] =>
  (responseOf<WaitingPage>(call)?.events ?? []).map(({ kind, event_name, body_sha256 }) =>
    listKey(modeOf(call), kind, body_sha256 ?? event_name ?? ''),
  );

/** At the end the queue is empty; what gave up is genuine, and an alarm shows it. */
export function drainViolations({ history, sent }: Evidence): readonly Violation[] {
  const { queues, metrics } = history;
  const alarms = (['deadLetters', 'feedFailures'] as const).flatMap((queue) => {
    const visible = metrics.findLast(
      ({ from, name }) => from === queue && name === 'ApproximateNumberOfMessagesVisible',
    );
    const count = queues[queue].length;
    if (count === 0 || (visible?.value ?? 0) > 0) return [];
    return `${count} messages are in ${queue}, and its metric shows none: no alarm fires.`;
  });
  const strangers = queues.deadLetters.flatMap((message) => {
    if (message.attributes['mode'] === 'heartbeat') return [];
    const body = sent.bodies.get(keyOfMessage(message) ?? '');
    return body?.mayBeStored
      ? []
      : `The dead letter ${message.id} holds a body that payhooks never accepted.`;
  });
  const stuck = queues.events.map(
    ({ id, receives }) => `The message ${id} is still in the queue after ${receives} receives.`,
  );
  return left(...alarms, ...strangers, ...stuck);
}
