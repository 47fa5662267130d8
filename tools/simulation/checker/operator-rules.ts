import { isDeepStrictEqual } from 'node:util';
import type { ActResult, AdmitRequest, EraseResult } from '@payhooks/order-client';
import type { HttpCall } from '../history.ts';
import { type Evidence, orderKey } from './evidence.ts';
import { responseOf } from './order-views.ts';
import { resolutionsOf } from './resolved.ts';
import { bodyKey, type Decision, storedRows } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

/** What the requests of acts share, and what the response of any act may hold. */
type ActRequest = AdmitRequest;
type ActResponse = ActResult & Partial<Pick<EraseResult, 'erased'>>;

interface Call {
  readonly call: HttpCall;
  readonly act: string;
  readonly request: ActRequest;
  readonly response: ActResponse | undefined;
}

const wrong = violationsOf('operators');
/** A service may carry out a request after its caller has given up. */
const lateMilliseconds = 5_000;
const erasure = violationsOf('erased');

export function operatorViolations(evidence: Evidence): readonly Violation[] {
  const calls = evidence.history.operatorCalls
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/operations/'))
    .map((call): Call => {
      const act = call.path.replace('/operations/', '');
      return { call, act, request: (call.body ?? {}) as ActRequest, response: responseOf<ActResponse>(call) };
    });
  const done = calls.filter(({ request, response }) => response?.changed && request.dry_run !== true);
  return [
    ...done.flatMap((call) => auditViolations(evidence, call)),
    ...done.flatMap(({ response }) => erasedViolations(evidence, response)),
    ...wrong(...strangers(evidence, calls), ...rereadUnasked(evidence, calls)),
  ];
}

/** Every act that changed something has its row: next to its event, and to each order that it changed. */
function auditViolations(
  { stored, history: { settings } }: Evidence,
  { act, request, response }: Call,
): readonly Violation[] {
  if (response === undefined || act === 'verify') return [];
  const { mode, by, reason, orders } = response;
  const rows = stored.acts.filter((row) => row.act === act && row.by === by && row.reason === reason);
  const name = `${quoted(by)} did ${act} on ${quoted(request.event_id ?? request.order_id ?? 'a body')}`;
  if (rows.length === 0) return wrong(`${name}, and no row of an act shows it.`);
  return wrong(
    ...orders
      .filter(({ order_id }) => rows.every(({ key }) => key !== orderKey(mode, order_id)))
      .map(
        ({ order_id }) => `${name}, which changed ${quoted(order_id)}; the history of the order lacks it.`,
      ),
    ...orders
      .filter(({ after }) => after.sequence <= settings.sequenceBase)
      .map(({ order_id }) => `${name}; its response lacks the base of the sequence of ${quoted(order_id)}.`),
  );
}

/** A duplicate uses the stored reading, whichever version it meets: only a replay changes that. */
function rereadUnasked({ history }: Evidence, calls: readonly Call[]): readonly string[] {
  const replays = calls.filter(({ act }) => act === 'replay').map(({ call }) => call);
  return history.eventChanges.flatMap(({ at, before, after }) => {
    const [old, next] = storedRows([before, after]).bodies;
    if (old === undefined || next === undefined || isDeepStrictEqual(old.reading, next.reading)) return [];
    if (replays.some((call) => call.at <= at && at <= call.endedAt + lateMilliseconds)) return [];
    return `The reading of ${quoted(next.eventId ?? '')} changed, and no operator had it replayed.`;
  });
}

function erasedViolations({ stored }: Evidence, response: ActResponse | undefined): readonly Violation[] {
  return (response?.erased ?? []).flatMap(({ event_id, body_sha256 }) => {
    const mode = response?.mode ?? 'live';
    const rows = stored.bodies.filter(
      (row) => row.mode === mode && row.sha256 === body_sha256 && (row.eventId ?? null) === event_id,
    );
    const own = stored.ownBodies.get(bodyKey(mode, event_id ?? '', body_sha256));
    if (own === undefined && rows.every(({ body }) => body === undefined)) return [];
    const event = quoted(event_id ?? body_sha256);
    return erasure(`The body of the ${mode} event ${event} was erased, and a row holds it again.`);
  });
}

/** A decision that a row shows, and the acts that make one. */
interface Shown {
  readonly acts: readonly string[];
  readonly what: string;
  readonly decision: Pick<Decision, 'by' | 'at' | 'reason'>;
}

function shownDecisions({ stored, orderRows }: Evidence): readonly Shown[] {
  const ofBodies = stored.bodies.flatMap(({ mode, eventId, sha256, judged, erased }): Shown[] => {
    const what = `The ${mode} row of ${quoted(eventId ?? sha256)}`;
    return [
      ...(judged ? [{ acts: ['admit', 'dismiss'], what, decision: judged }] : []),
      ...(erased ? [{ acts: ['erase'], what, decision: erased }] : []),
    ];
  });
  const ofNames = stored.names.flatMap(({ mode, name, judged: decision }): Shown[] =>
    decision ? [{ acts: ['dismiss'], what: `The ${mode} name ${quoted(name)}`, decision }] : [],
  );
  const ofOrders = [...orderRows].flatMap(([key, row]) =>
    resolutionsOf(row).map((decision): Shown => ({ acts: ['resolve'], what: quoted(key), decision })),
  );
  return [...ofBodies, ...ofNames, ...ofOrders];
}

/** A decision is stored with its act, in one transaction; nobody's, or one of a dry run, is not stored. */
function strangers(evidence: Evidence, calls: readonly Call[]): readonly string[] {
  const isSent = ({ acts, decision: { by, reason } }: Shown): boolean =>
    calls.some(
      ({ call: { caller, outcome }, act, request }) =>
        acts.includes(act) &&
        request.dry_run !== true &&
        request.reason === reason &&
        by.endsWith(caller) &&
        !(outcome.kind === 'status' && outcome.status >= 400 && outcome.status < 500),
    );
  const hasAct = ({ acts, decision: { by, at, reason } }: Shown): boolean =>
    evidence.stored.acts.some(
      (row) => acts.includes(row.act) && row.by === by && row.at === at && row.reason === reason,
    );
  const decisions = shownDecisions(evidence);
  const acts = evidence.stored.acts.map((decision): Shown => {
    return { acts: [decision.act], what: `The history of ${quoted(decision.key)}`, decision };
  });
  const sentence = ({ acts: [act], what, decision: { by, reason } }: Shown): string =>
    `${what} shows ${act} by ${quoted(by)} (${quoted(reason)})`;
  return [
    ...[...decisions, ...acts]
      .filter((shown) => !isSent(shown))
      .map((shown) => `${sentence(shown)}, and no operator sent that.`),
    ...decisions
      .filter((shown) => !hasAct(shown))
      .map((shown) => `${sentence(shown)}, and no row of an act does.`),
  ];
}
