import * as v from 'valibot';

const charactersMax = 1_024;
const cut = v.pipe(
  v.string(),
  v.transform((given) => given.slice(0, charactersMax)),
);
const text = v.fallback(v.optional(cut), undefined);
const number = v.fallback(v.optional(v.number()), undefined);

/**
 * The fields of log lines that the terminal shows. The list is closed, so that a field that a later version
 * logs, or customer data, is never shown by accident.
 */
const fields = {
  ...{ request_id: text, mode: text, event_id: text, event_name: text, order_id: text, outcome: text },
  ...{ order_status: text, previous_status: text, reason: text, error_name: text, error_code: text },
  ...{ body_sha256: text, step: text, kind: text, detail: text, command: text },
  ...{ alarm: text, alarm_state: text },
  ...{ bytes: number, status: number, sequence: number, findings: number },
};

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    timestamp: v.fallback(v.pipe(v.string(), v.isoTimestamp()), () => new Date().toISOString()),
    level: v.fallback(v.pipe(v.string(), v.toLowerCase()), 'info'),
    message: v.fallback(v.string(), 'a line without a message'),
    _aws: v.optional(v.unknown()),
    ...fields,
  }),
);

/** `undefined` for a line that is no JSON object. Texts are as logged: escape them where they are shown. */
export function readLogLine(line: string) {
  const { success, output } = v.safeParse(lineSchema, line);
  if (!success) return undefined;
  const { timestamp: at, level, message, _aws: metrics, ...fields } = output;
  return { at, level, message, fields, isMetric: metrics !== undefined };
}

export type LogLine = NonNullable<ReturnType<typeof readLogLine>>;

/** A log line of a function. */
export interface LiveLogEntry extends LogLine {
  /** The function's stage, such as `verifier`. */
  readonly stage: string;
  /** From the acknowledgement of the same request to this entry. */
  readonly sinceAcceptedMilliseconds: number | null;
}
