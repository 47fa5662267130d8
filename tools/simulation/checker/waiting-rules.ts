import type { WaitingList } from '@payhooks/order-client';
import type { HttpCall } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { meaningOfName } from './meanings.ts';
import { modeOf, responseOf } from './order-views.ts';
import { keyOfMessage } from './record-rules.ts';
import type { Mode } from './signed-body.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

/** What the log of the count names. */
const kinds = [
  'unassigned',
  'quarantined',
  'order_refused',
  'conflict',
  'unrecognised',
  'unsealed',
  'event_name',
];
const waits = violationsOf('waiting');
const left = violationsOf('drained');

/** What waits for a person is listed, and counted; `outcomes` judges which bodies wait. */
export function waitingViolations(evidence: Evidence): readonly Violation[] {
  const { stored, history } = evidence;
  const bodies = stored.bodies.map(({ mode, waiting, eventId, sha256 }) => {
    return { mode, waiting, id: sha256, subject: `event ${quoted(eventId ?? sha256)}` };
  });
  const names = stored.names.map(({ mode, waiting, name }) => {
    return { mode, waiting, id: name, subject: `name ${quoted(name)}` };
  });
  const all = [...bodies, ...names];
  const listed = new Set(history.finalReads.waiting.flatMap(listedKeys));
  const unlisted = all.flatMap(({ mode, waiting, id, subject }) => {
    if (waiting === undefined || listed.has(listKey(mode, waiting, id))) return [];
    return `The ${mode} ${subject} waits as "${waiting}", and the list of what waits does not show it.`;
  });
  return waits(...unlisted, ...nameSentences(evidence), ...uncounted(evidence, all));
}

/**
 * A name waits until it is dismissed, or has a meaning and everything was replayed, as at the end of a run in
 * which a deployment gave it one.
 */
function nameSentences({ known, stored, history }: Evidence): readonly string[] {
  const present = new Set(stored.names.map(({ mode, name }) => `${mode} ${name}`));
  const needed = known.flatMap(({ row, read }) =>
    read && row.reading && row.reading.meaning === undefined ? `${row.mode} ${row.reading.name}` : [],
  );
  const missing = [...new Set(needed)].filter((name) => !present.has(name));
  return [
    ...missing.map((name) => `The name of a ${name} event has no meaning, and no row makes a person look.`),
    ...stored.names.flatMap(({ mode, name, waiting, judged }) => {
      const isKnown = meaningOfName(name, history.settings.eventMeanings) !== undefined;
      const wanted = judged !== undefined || isKnown ? 'nothing' : 'event_name';
      if ((waiting ?? 'nothing') === wanted) return [];
      return `The ${mode} name ${quoted(name)} waits as "${waiting ?? 'nothing'}"; it should as "${wanted}".`;
    }),
  ];
}

function uncounted(
  { history }: Evidence,
  rows: readonly { readonly waiting: string | undefined }[],
): readonly string[] {
  const lastOf = (metric: string): number =>
    history.metrics.findLast(({ name }) => name === metric)?.value ?? 0;
  const miscounted = kinds.flatMap((kind) => {
    const count = rows.filter(({ waiting }) => waiting === kind).length;
    return lastOf(kind) === count
      ? []
      : `${count} rows wait as "${kind}", and the last count was ${lastOf(kind)}.`;
  });
  // It counts orders with attention as well.
  const all = rows.filter(({ waiting }) => waiting !== undefined).length;
  const isLow = lastOf('DecisionsWaiting') < all;
  return [...miscounted, ...(isLow ? [`${all} rows wait, and DecisionsWaiting shows fewer.`] : [])];
}

const listKey = (mode: Mode, kind: string, id: string): string => `${mode} ${kind} ${id}`;
const listedKeys = (call: HttpCall): readonly string[] =>
  (responseOf<WaitingList>(call)?.events ?? []).map(({ kind, event_name, body_sha256 }) =>
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
