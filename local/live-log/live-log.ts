import { styleText } from 'node:util';
import { printable } from '../../operator/printable.ts';
import { type LiveLogEntry, type LogLine, parseObject, readLogLine } from './entry.ts';
import { formatEntry, type Paint } from './format.ts';

export interface LiveLog {
  /** Takes one line of a function's standard output. */
  onLine(functionName: string, line: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (entry: LiveLogEntry) => void): () => void;
}

const rememberedMax = 2_000;
const otherLineCharactersMax = 400;

export function createLiveLog(options: {
  readonly write: (text: string) => void;
  readonly colours: boolean;
  /** Turns a command for a stack in AWS into the one for local mode. */
  readonly localCommand?: (command: string) => string;
}): LiveLog {
  const listeners = new Set<(entry: LiveLogEntry) => void>();
  const createEntry = createEntries(options.localCommand ?? ((command) => command));
  const paint: Paint = (colour, text) =>
    options.colours ? styleText(colour, text, { validateStream: false }) : text;

  return {
    onLine(functionName, line) {
      const json = parseObject(line);
      if (json === undefined) {
        const text = printable(line, otherLineCharactersMax).trimEnd();
        if (text !== '') options.write(`${paint('dim', `${printable(functionName)}: ${text}`)}\n`);
        return;
      }
      // Metrics, and what only proves that all is well, which would hide the events.
      if ('_aws' in json || isQuiet(json, functionName)) return;
      const entry = createEntry(readLogLine(json), functionName);
      options.write(`${formatEntry(entry, paint)}\n`);
      for (const listener of listeners) listener(entry);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A heartbeat that goes well, or a count that found the same again. Where one fails, its line shows. */
function isQuiet({ level, mode, message }: Readonly<Record<string, unknown>>, stage: string): boolean {
  if (message === 'waiting unchanged') return true;
  return level === 'INFO' && (mode === 'heartbeat' || stage === 'heartbeat');
}

function createEntries(localCommand: (command: string) => string) {
  const statuses = new Map<string, string>();
  const acceptances = new Map<string, number>();
  let number = 0;

  return function createEntry(line: LogLine, stage: string): LiveLogEntry {
    number += 1;
    const { at, message } = line;
    const { command, ...others } = line.fields;
    const fields = { ...others, ...(command && { command: localCommand(command) }) };
    const acceptedAt = acceptances.get(fields.request_id ?? '');
    if (message === 'webhook accepted') remember(acceptances, fields.request_id, Date.parse(at));
    const order = fields.order_id === undefined ? undefined : `${fields.mode}:${fields.order_id}`;
    // The order feed may lag: its lines do not show an order's latest status.
    const isFeed = message === 'order change published' || message === 'order change not published';
    const before = isFeed ? fields.previous_status : statuses.get(order ?? '');
    if (!isFeed) remember(statuses, order, fields.order_status);
    const sinceAcceptedMilliseconds = acceptedAt === undefined ? null : Date.parse(at) - acceptedAt;
    return { ...line, fields, number, stage, statusBefore: before ?? null, sinceAcceptedMilliseconds };
  };
}

/** Keeps the latest few thousand, so that a process that runs for weeks does not grow. */
function remember<Value>(map: Map<string, Value>, key: string | undefined, value: Value | undefined): void {
  if (key === undefined || value === undefined) return;
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > rememberedMax && oldest !== undefined) map.delete(oldest);
}
