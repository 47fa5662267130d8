import { styleText } from 'node:util';
import { printable } from '../../cli/printable.ts';
import { formatEntry, type Paint } from './format.ts';

/**
 * What the functions may tell the terminal and the console. The list is closed: a field that a later
 * version logs stays out until someone has thought about it, and customer data stays out for ever.
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
  'says',
  'command',
  'alarm',
  'alarm_state',
] as const;
const numberFields = ['bytes', 'status', 'sequence', 'findings'] as const;

export type LiveLogFields = {
  readonly [field in (typeof textFields)[number]]?: string;
} & { readonly [field in (typeof numberFields)[number]]?: number };

/**
 * One thing that happened in a function. Texts are as logged: whoever shows them makes them harmless there.
 */
export interface LiveLogEntry {
  /** Counts from 1. */
  readonly number: number;
  readonly at: string;
  readonly stage: string;
  readonly level: string;
  readonly message: string;
  readonly fields: LiveLogFields;
  /**
   * What the order's status was after the event before, as far as this process has seen it; for a published
   * change, what the change says.
   */
  readonly statusBefore: string | null;
  /** From the acknowledgement to this entry, for entries of the same request. */
  readonly sinceAcceptedMilliseconds: number | null;
}

export interface LiveLog {
  /** Takes one raw line that a function wrote to its standard output. */
  onLine(functionName: string, line: string): void;
  note(text: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (entry: LiveLogEntry) => void): () => void;
  /** The latest entries, oldest first. */
  recent(): readonly LiveLogEntry[];
}

const recentEntriesMax = 200;
const rememberedMax = 2_000;
const fieldCharactersMax = 1_024;
const foreignLineCharactersMax = 400;

export function createLiveLog(options: {
  readonly write: (text: string) => void;
  readonly colours: boolean;
  /** Makes a command for a stack in AWS one for local mode. */
  readonly localCommand?: (command: string) => string;
}): LiveLog {
  const listeners = new Set<(entry: LiveLogEntry) => void>();
  const entries: LiveLogEntry[] = [];
  const statuses = new Map<string, string>();
  const acceptances = new Map<string, number>();
  let number = 0;
  const paint: Paint = (colour, text) =>
    options.colours ? styleText(colour, text, { validateStream: false }) : text;

  const createEntry = (line: LogLine, stage: string): LiveLogEntry => {
    number += 1;
    const { at } = line;
    const { command, ...others } = line.fields;
    const localCommand = command && (options.localCommand?.(command) ?? command);
    const fields = { ...others, ...(localCommand && { command: localCommand }) };
    const acceptedAt = acceptances.get(fields.request_id ?? '');
    if (line.message === 'webhook accepted') remember(acceptances, fields.request_id, Date.parse(at));
    const statusBefore = isAboutFeed(line)
      ? (fields.previous_status ?? null)
      : exchangeStatus(statuses, fields);
    const sinceAcceptedMilliseconds = acceptedAt === undefined ? null : Date.parse(at) - acceptedAt;
    return { ...line, fields, number, stage, statusBefore, sinceAcceptedMilliseconds };
  };

  const onLine = (functionName: string, line: string): void => {
    const json = parseObject(line);
    if (json === undefined) {
      const text = printable(line, foreignLineCharactersMax).trimEnd();
      if (text !== '') options.write(`${paint('dim', `${printable(functionName)}: ${text}`)}\n`);
      return;
    }
    if ('_aws' in json) return;
    const entry = createEntry(readLogLine(json), functionName);
    entries.push(entry);
    if (entries.length > recentEntriesMax) entries.shift();
    options.write(`${formatEntry(entry, paint)}\n`);
    for (const listener of listeners) listener(entry);
  };

  return {
    onLine,
    note: (text) => options.write(`${text}\n`),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recent: () => [...entries],
  };
}

/** The feed runs beside the consumer: its lines do not say what an order's status is by now. */
function isAboutFeed({ message }: LogLine): boolean {
  return message === 'order change published' || message === 'order change not published';
}

/** Remembers the status of an order, and gives the one before. */
function exchangeStatus(statuses: Map<string, string>, fields: LiveLogFields): string | null {
  if (fields.order_id === undefined) return null;
  const order = `${fields.mode}:${fields.order_id}`;
  const before = statuses.get(order) ?? null;
  remember(statuses, order, fields.order_status);
  return before;
}

type LogLine = Pick<LiveLogEntry, 'at' | 'level' | 'message' | 'fields'>;

function readLogLine(json: Readonly<Record<string, unknown>>): LogLine {
  const { timestamp, level, message } = json;
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
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
    at: new Date(Number.isNaN(moment) ? Date.now() : moment).toISOString(),
    level: typeof level === 'string' ? level.toLowerCase() : 'info',
    message: typeof message === 'string' ? message : 'a line without a message',
    fields,
  };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the latest few thousand; a process that runs for weeks must not grow. */
function remember<Value>(map: Map<string, Value>, key: string | undefined, value: Value | undefined): void {
  if (key === undefined || value === undefined) return;
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > rememberedMax && oldest !== undefined) map.delete(oldest);
}
