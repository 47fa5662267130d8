/**
 * The fields of log lines that the terminal shows. The list is closed, so that a field that
 * a later version logs, or customer data, is never shown by accident.
 */
const textFields = [
  'request_id',
  'message_id',
  'mode',
  'key_id',
  'event_id',
  'event_name',
  'order_id',
  'outcome',
  'order_status',
  'previous_status',
  'dedupe_id',
  'reason',
  'error_name',
  'error_code',
  'body_sha256',
  'step',
  'kind',
  'detail',
  'command',
  'alarm',
  'alarm_state',
] as const;
const numberFields = ['bytes', 'status', 'sequence', 'findings'] as const;
const fieldCharactersMax = 1_024;

export type LiveLogFields = {
  readonly [field in (typeof textFields)[number]]?: string;
} & { readonly [field in (typeof numberFields)[number]]?: number };

/** A log line of a function. Texts are as logged: escape them wherever they are shown. */
export interface LiveLogEntry {
  readonly at: string;
  readonly level: string;
  readonly message: string;
  readonly fields: LiveLogFields;
  /** The function's stage, such as `verifier`. */
  readonly stage: string;
  /** From the acknowledgement of the same request to this entry. */
  readonly sinceAcceptedMilliseconds: number | null;
}

/** `undefined` for a line that is no JSON object. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}

export type LogLine = Omit<LiveLogEntry, 'stage' | 'sinceAcceptedMilliseconds'>;

export function readLogLine(json: Readonly<Record<string, unknown>>): LogLine {
  const { timestamp, level, message } = json;
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const fields: Record<string, string | number> = {};
  for (const name of textFields) {
    const value = json[name];
    if (typeof value === 'string') fields[name] = value.slice(0, fieldCharactersMax);
  }
  for (const name of numberFields) {
    const value = json[name];
    if (typeof value === 'number') fields[name] = value;
  }
  return {
    at: new Date(Number.isNaN(time) ? Date.now() : time).toISOString(),
    level: typeof level === 'string' ? level.toLowerCase() : 'info',
    message: typeof message === 'string' ? message : 'a line without a message',
    fields,
  };
}
