import { printable, shortId } from '../../cli/printable.ts';
import { attentionSentences } from '../console/attention.ts';

/** What the order query says about an order or an event, for a person. */
export interface View {
  readonly status: number;
  readonly text: string;
  /** The events of an order; empty for anything else. */
  readonly eventIds: readonly string[];
}

export interface ViewOptions {
  readonly baseUrl: string;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
}

/** Asks once; `undefined` when there is no answer, or none that can be read. */
export async function readView(options: ViewOptions, path: string): Promise<View | undefined> {
  const { baseUrl, signal, fetch: request = fetch } = options;
  try {
    const response = await request(`${baseUrl}${path}`, { signal });
    const json: unknown = await response.json();
    if (response.status !== 200)
      return { status: response.status, text: `answers ${response.status}`, eventIds: [] };
    return isObject(json)
      ? { status: 200, ...('order_id' in json && 'events' in json ? order(json) : event(json)) }
      : undefined;
  } catch {
    // No connection, no JSON, or stopped: for a story that asks again in a moment it is all the same.
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

function order(json: Json): Omit<View, 'status'> {
  const events = list(json['events']).filter(isObject);
  const attention = list(json['attention']).map((name) => `\n      look at it: ${sentence(name)}`);
  const count = events.length === 1 ? '1 event' : `${events.length} events`;
  const mode = json['mode'] === 'sandbox' ? ' in the sandbox' : '';
  return {
    text: `${text(json['order_id'])} is ${text(json['status'])}${mode} after ${count}${attention.join('')}`,
    eventIds: events.map(({ id }) => (typeof id === 'string' ? id : '')),
  };
}

function event(json: Json): Omit<View, 'status'> {
  const id = typeof json['id'] === 'string' ? shortId(json['id']) : '';
  const reason = typeof json['reason'] === 'string' ? ` (${text(json['reason'])})` : '';
  return { text: `event ${id} is ${text(json['outcome'])}${reason}`, eventIds: [] };
}

function sentence(name: unknown): string {
  const known = Object.entries(attentionSentences).find(([attention]) => attention === name);
  return known?.[1] ?? text(name);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? printable(value) : 'unknown');
