import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery, Simulator } from '@payhooks/payment-service/simulator';
import { printable, shellQuoted } from '../../cli/printable.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import { deliver } from './delivery.ts';
import { ownEventCommand } from './own-event.ts';
import { registerWebhooks } from './registration.ts';
import { type Chapter, type Send, type Showing, storyChapters } from './script.ts';
import { readView, type View } from './view.ts';

export interface StoryOptions {
  /** Where the pipeline, the order query and the console answer, such as `http://127.0.0.1:4800`. */
  readonly baseUrl: string;
  /** Delivers what is genuine, once the webhook is registered there. */
  readonly paymentService: Pick<Simulator, 'baseUrl' | 'registerWebhook' | 'emit'>;
  readonly privateKey: string;
  readonly sandboxKey: string;
  readonly signatureHeader: string;
  /** Whether the private key is a throw-away one, so that it may be printed. */
  readonly showKey: boolean;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
  /** What duplicates and unrecognised bodies become shows in the consumer's log alone. */
  readonly liveLog?: Pick<LiveLog, 'recent'>;
  /** How long each event may take to show, before the story says that it did not. */
  readonly patienceMilliseconds?: number;
}

const defaultPatienceMilliseconds = 5_000;
const pollMilliseconds = 50;
/**
 * Registers the webhook, lets the payment service send a dozen steps of signed events, and tells what became
 * of each. Ends early, without a word, when stopped. Rejects when the webhook cannot be registered.
 */
export async function tellStory(options: StoryOptions): Promise<void> {
  const { baseUrl, write, signal } = options;
  const webhookUrl = `${baseUrl}/webhooks/payments`;
  const run = runSuffix();
  write(`\nA story of signed events, as the payment service sends them (this run: …-${run}).\n`);
  write(`\n${title(1, 'The webhook is registered')}`);
  const registered = await registerWebhooks({ ...options, webhookUrl }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return [];
  });
  if (signal.aborted) return;
  write(registered.map((line) => `    ${line}\n`).join(''));
  for (const [index, chapter] of storyChapters(run).entries()) {
    write(`\n${title(index + 2, chapter.title)}`);
    for (const send of chapter.sends) {
      const told = await tellSend({ ...options, webhookUrl }, chapter, send);
      if (signal.aborted) return;
      write(`    ${told}\n`);
    }
    if (chapter.path !== null) write(`    curl -s ${shellQuoted(baseUrl + chapter.path)}\n`);
  }
  write(epilogue(options, webhookUrl));
}

const title = (number: number, text: string): string => `${String(number).padStart(2)}. ${text}\n`;

function epilogue(options: StoryOptions, webhookUrl: string): string {
  const { baseUrl, paymentService, signatureHeader, showKey, privateKey } = options;
  const feedUrl = shellQuoted(`${baseUrl}/feed`);
  return [
    '\nThe feed tells order systems of each change; follow it, or replay what it has told so far:',
    `    curl -N ${feedUrl}\n    curl -N -H 'Last-Event-ID: 0' ${feedUrl}`,
    '\nSend an event of your own; sent twice it is a duplicate, and with another id it is another event:',
    ownEventCommand({ webhookUrl, signatureHeader, ...(showKey && { privateKey }) }),
    '\nOr let the payment service send one:',
    `    curl -s ${paymentService.baseUrl}/simulator/events -d '{"order_id":"my-order-2"}'`,
    `\nWatch it all in the console: ${baseUrl}/\n\n`,
  ].join('\n');
}

/** What was sent, the HTTP answer, and what the pipeline made of it. */
async function tellSend(
  options: StoryOptions & { readonly webhookUrl: string },
  chapter: Chapter,
  send: Send,
): Promise<string> {
  const delivery = await deliver(send.sent, options);
  const made =
    delivery?.state === 'delivered'
      ? await tellShowing(options, chapter, send)
      : await tellAbsence(options, chapter);
  return `${send.says} → ${answerOf(delivery)} → ${made}`;
}

function answerOf(delivery: Delivery | undefined): string {
  const result = delivery?.attempts.at(-1)?.result;
  if (result === undefined) return 'not sent: no webhook is registered for it';
  return 'status' in result ? String(result.status) : printable(result.error);
}

async function tellShowing(options: StoryOptions, { path }: Chapter, { shows }: Send): Promise<string> {
  const patience = options.patienceMilliseconds ?? defaultPatienceMilliseconds;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(patience)]);
  do {
    const sight = await look({ ...options, signal }, path, shows);
    if (sight !== undefined) return sight;
    await pause(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
  return `accepted, but not to be seen within ${patience / 1_000} s`;
}

/** What can be seen of an event now; `undefined` when it does not show yet. */
async function look(options: StoryOptions, path: string | null, shows: Showing): Promise<string | undefined> {
  if (shows.at === 'log') {
    // Without the log there is no telling when, so the answer above is all that is known.
    const lines = options.liveLog?.recent() ?? [];
    const { outcome, bodySha256 } = shows;
    const handled = lines.some(
      ({ fields }) => fields.outcome === outcome && fields.body_sha256 === bodySha256,
    );
    if (options.liveLog !== undefined && !handled) return undefined;
    const handledAs = handled ? outcome : 'accepted';
    return path === null
      ? `${handledAs}; its bytes are kept`
      : joined(handledAs, await readView(options, path));
  }
  const view = path === null ? undefined : await readView(options, path);
  if (view === undefined || view.status === 404) return undefined;
  return shows.at === 'event' || view.eventIds.includes(shows.eventId) ? view.text : undefined;
}

function joined(handledAs: string, view: View | undefined): string {
  return view === undefined ? handledAs : `${handledAs}; ${view.text}`;
}

async function tellAbsence(options: StoryOptions, { path }: Chapter): Promise<string> {
  const view = path === null ? undefined : await readView(options, path);
  return view?.status === 404 ? `nothing recorded: ${path} answers 404` : (view?.text ?? 'not accepted');
}

/** Four letters and digits that cannot be mistaken for one another, nor form a word. */
function runSuffix(): string {
  const alphabet = 'bcdfghjkmnpqrstvwxz23456789';
  return Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
