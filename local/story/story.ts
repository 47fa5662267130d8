import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveLog } from '../live-log/live-log.ts';
import { printable } from '../live-log/printable.ts';
import { ownEventCommand, shellQuoted } from '../payment-service/own-event.ts';
import { noRetries, type RetrySchedule } from '../payment-service/retry-timing.ts';
import { createSender, type Delivery, type Sender } from '../payment-service/sender.ts';
import { type Chapter, type Send, type Showing, storyChapters } from './script.ts';
import { readView, type View } from './view.ts';

export interface StoryOptions {
  /** Where the pipeline, the order query and the console answer, such as `http://127.0.0.1:4800`. */
  readonly baseUrl: string;
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
/** A 503 in the first moments is no reason to end the story. */
const schedule = { ...noRetries, pausesMilliseconds: [250, 1_000], attemptTimeoutMilliseconds: 5_000 };

/**
 * Sends a dozen steps of signed events and tells what became of each.
 * Ends early, without a word, when stopped.
 */
export async function tellStory(options: StoryOptions): Promise<void> {
  const { write, signal, signatureHeader } = options;
  const webhookUrl = `${options.baseUrl}/webhooks/payments`;
  const senders: Senders = (schedule) =>
    createSender({
      url: webhookUrl,
      signatureHeader,
      schedule,
      ...(options.fetch && { fetch: options.fetch }),
    });
  const run = runSuffix();
  write(`\nA story of signed events, sent as the payment service sends them (this run: …-${run}).\n`);
  for (const [index, chapter] of storyChapters(run).entries()) {
    write(`\n${String(index + 1).padStart(2)}. ${chapter.title}\n`);
    for (const send of chapter.sends) {
      const told = await tellSend({ options, senders, chapter, send });
      if (signal.aborted) return;
      write(`    ${told}\n`);
    }
    if (chapter.path !== null) write(`    curl -s ${shellQuoted(options.baseUrl + chapter.path)}\n`);
  }
  const feedUrl = shellQuoted(`${options.baseUrl}/feed`);
  write('\nThe feed tells order systems of each change; follow it, or replay what it has told so far:\n');
  write(`    curl -N ${feedUrl}\n    curl -N -H 'Last-Event-ID: 0' ${feedUrl}\n`);
  const command = ownEventCommand({
    webhookUrl,
    signatureHeader,
    ...(options.showKey && { privateKey: options.privateKey }),
  });
  write(
    '\nSend an event of your own; sent twice it is a duplicate, and with another id it is another event:\n',
  );
  write(`${command}\n`);
  write(`Watch it all in the console: ${options.baseUrl}/\n\n`);
}

type Senders = (schedule: RetrySchedule) => Sender;

interface Telling {
  readonly options: StoryOptions;
  readonly senders: Senders;
  readonly chapter: Chapter;
  readonly send: Send;
}

/** What was sent, the HTTP answer, and what the pipeline made of it. */
async function tellSend({ options, senders, chapter, send }: Telling): Promise<string> {
  // A forger who is refused does not try again; the payment service does.
  const delivery = await senders(send.signedBy === 'forger' ? noRetries : schedule).deliver({
    body: send.body,
    privateKey: keyFor(send, options),
    signal: options.signal,
  });
  const made =
    delivery.state === 'delivered'
      ? await tellShowing(options, chapter, send)
      : await tellAbsence(options, chapter);
  return `${send.says} → ${answerOf(delivery)} → ${made}`;
}

function keyFor({ signedBy }: Send, options: StoryOptions): string {
  if (signedBy === 'forger') return 'pri_of_somebody_else';
  return signedBy === 'live' ? options.privateKey : options.sandboxKey;
}

function answerOf({ attempts }: Delivery): string {
  const result = attempts.at(-1)?.result;
  if (result === undefined) return 'not sent';
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
