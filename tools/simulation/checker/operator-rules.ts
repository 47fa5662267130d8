import type { HttpCall } from '../history.ts';
import { type Evidence, orderKey } from './evidence.ts';
import { responseOf } from './order-views.ts';
import { type Resolution, resolutionsOf } from './resolved.ts';
import type { Mode } from './signed-body.ts';
import { bodyKey, type Decision } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

/** The request of an act, and what its response holds. */
interface ActRequest {
  readonly mode?: Mode;
  readonly dry_run?: boolean;
  readonly reason?: string;
  readonly event_id?: string;
  readonly event_name?: string;
  readonly body_sha256?: string;
  readonly order_id?: string;
}
interface ActResponse {
  readonly act: string;
  readonly mode: Mode;
  readonly changed: boolean;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly orders: readonly { readonly order_id: string }[];
  readonly erased?: readonly { readonly event_id: string | null; readonly body_sha256: string }[];
}

interface Call {
  readonly call: HttpCall;
  readonly act: string;
  readonly request: ActRequest;
  readonly response: ActResponse | undefined;
}

const wrong = violationsOf('operators');
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
    ...done.flatMap((call) => judgedTwice(evidence, call)),
    ...done.flatMap(({ response }) => erasedViolations(evidence, response)),
    ...strangers(evidence, calls),
  ];
}

/** Every act that changed something has its row: next to its event, or to an order that it changed. */
function auditViolations(
  { stored, orderRows }: Evidence,
  { act, request, response }: Call,
): readonly Violation[] {
  if (response === undefined || act === 'verify') return [];
  const { mode, by, reason, orders } = response;
  // A resolution is a fact of its order, with who and why.
  const facts = [...orderRows].flatMap(([key, row]) =>
    resolutionsOf(row).map((one) => ({ ...one, act: 'resolve', key })),
  );
  const rows = [...stored.acts, ...facts].filter(
    (row) => row.act === act && row.by === by && row.reason === reason,
  );
  const name = `${quoted(by)} did ${act} on ${quoted(request.event_id ?? request.order_id ?? 'a body')}`;
  if (rows.length === 0) return wrong(`${name}, and no row of an act shows it.`);
  return wrong(
    ...orders
      .filter(({ order_id }) => rows.every(({ key }) => key !== orderKey(mode, order_id)))
      .map(
        ({ order_id }) => `${name}, which changed ${quoted(order_id)}; the history of the order lacks it.`,
      ),
  );
}

/** What an operator admitted stays admitted; what one dismissed may be judged again later. */
function judgedTwice({ stored }: Evidence, { act, request, response }: Call): readonly Violation[] {
  if (response === undefined || (act !== 'admit' && act !== 'dismiss')) return [];
  const { by, at } = response;
  const judgements = [...stored.bodies, ...stored.names].flatMap(({ judged }) => judged ?? []);
  if (judgements.some((one) => one.by === by && one.at === at)) return [];
  const what = request.event_id ?? request.event_name ?? request.body_sha256 ?? '';
  const isLater = ({ mode, judged }: { readonly mode: Mode; readonly judged: Decision | undefined }) =>
    mode === response.mode && judged !== undefined && judged.at > at;
  const later = [
    ...stored.bodies.map((row) => ({ ...row, subjects: [row.eventId, row.sha256] })),
    ...stored.names.map((row) => ({ ...row, subjects: [row.name] })),
  ].filter((row) => row.subjects.includes(what) && isLater(row));
  if (act === 'dismiss' && later.length > 0) return [];
  return wrong(`${quoted(by)} did ${act} on ${quoted(what)}, and no row shows that judgement.`);
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

/** No decision is stored that no operator sent, and none of a dry run or of a refused call. */
function strangers({ stored, orderRows }: Evidence, calls: readonly Call[]): readonly Violation[] {
  const isSent = (acts: readonly string[], { by, reason }: Pick<Decision, 'by' | 'reason'>): boolean =>
    calls.some(
      ({ call: { caller, outcome }, act, request }) =>
        acts.includes(act) &&
        request.dry_run !== true &&
        request.reason === reason &&
        by.endsWith(caller) &&
        !(outcome.kind === 'status' && outcome.status >= 400 && outcome.status < 500),
    );
  const sentence = (act: string, subject: string, { by, reason }: Pick<Decision, 'by' | 'reason'>): string =>
    `${subject} shows ${act} by ${quoted(by)} (${quoted(reason)}), and no operator sent that.`;
  const rows = stored.bodies.flatMap(({ mode, eventId, sha256, judged, erased }) => {
    const subject = `The ${mode} row of ${quoted(eventId ?? sha256)}`;
    return [
      ...(judged && !isSent(['admit', 'dismiss'], judged)
        ? [sentence(judged.verdict ?? '', subject, judged)]
        : []),
      ...(erased && !isSent(['erase'], erased) ? [sentence('an erasure', subject, erased)] : []),
    ];
  });
  const acts = stored.acts
    .filter((act) => !isSent([act.act], act))
    .map((act) => sentence(act.act, `The history of ${quoted(act.key)}`, act));
  const resolutions = [...orderRows].flatMap(([key, row]) =>
    resolutionsOf(row)
      .filter((one: Resolution) => !isSent(['resolve'], one))
      .map((one) => sentence(`a resolution of ${one.attention}`, quoted(key), one)),
  );
  return wrong(...rows, ...acts, ...resolutions);
}
