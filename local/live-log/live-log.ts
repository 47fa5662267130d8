import { styleText } from 'node:util';
import { printable } from '../../operator/printable.ts';
import { type LiveLogEntry, type LogLine, readLogLine } from './entry.ts';
import { formatEntry, type Paint } from './format.ts';

export interface LiveLog {
  /** Takes one line of a function's standard output. */
  onLine(functionName: string, line: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (entry: LiveLogEntry) => void): () => void;
}

const acceptancesMax = 2_000;
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
      const read = readLogLine(line);
      if (read === undefined) {
        const text = printable(line, otherLineCharactersMax).trimEnd();
        if (text !== '') options.write(`${paint('dim', `${printable(functionName)}: ${text}`)}\n`);
        return;
      }
      // Metrics, and what only proves that all is well, which would hide the events.
      if (read.isMetric || isQuiet(read, functionName)) return;
      const entry = createEntry(read, functionName);
      options.write(`${formatEntry(entry, paint)}\n`);
      for (const listener of listeners) listener(entry);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A heartbeat that goes well. Where one fails, its line shows. */
function isQuiet({ level, fields }: LogLine, stage: string): boolean {
  return level === 'info' && (fields.mode === 'heartbeat' || stage.startsWith('heartbeat'));
}

function createEntries(localCommand: (command: string) => string) {
  /** By request; the latest few thousand, so that a process that runs for weeks does not grow. */
  const acceptances = new Map<string, number>();

  return function createEntry(line: LogLine, stage: string): LiveLogEntry {
    const { at, message } = line;
    const { command, ...others } = line.fields;
    const fields = { ...others, ...(command && { command: localCommand(command) }) };
    const { request_id: requestId = '' } = fields;
    const acceptedAt = acceptances.get(requestId);
    if (message === 'webhook accepted') acceptances.set(requestId, Date.parse(at));
    const [oldest = ''] = acceptances.keys();
    if (acceptances.size > acceptancesMax) acceptances.delete(oldest);
    const sinceAcceptedMilliseconds = acceptedAt === undefined ? null : Date.parse(at) - acceptedAt;
    return { ...line, fields, stage, sinceAcceptedMilliseconds };
  };
}
