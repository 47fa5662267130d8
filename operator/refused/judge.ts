import { bodyBytesMax } from '../../lambdas/contract/limits.ts';
import type { RefusedRequest } from './requests.ts';

/** What a group of refused requests is judged by. Times are milliseconds since the epoch. */
export interface Evidence {
  readonly reason: string;
  readonly requests: readonly RefusedRequest[];
  /** The addresses that webhooks were accepted from. */
  readonly accepted: ReadonlySet<string>;
  /** From when on the accepted ones are known. */
  readonly acceptedSince: number;
  /** The key that matched last, if any has; `undefined` if that is not known. */
  readonly lastMatch: { readonly keyId: string; readonly at: number } | null | undefined;
  /** Whether CloudFront sends what the API receives. */
  readonly hasFirewall: boolean;
}

export interface Judgement {
  readonly meaning: string;
  readonly judgement: string;
  /** Without `npx` and without `--stack`. */
  readonly command: string;
}

/** What it probably is, and the next command. */
type Cause = readonly [text: string, command: string];

interface Kind {
  readonly meaning: string;
  /** From addresses that also sent accepted webhooks. */
  readonly genuine: Cause;
  readonly foreign: Cause;
}

const forged: Cause = ['probably forged, or a test such as payhooks smoke', 'payhooks reconcile'];
const scanner: Cause = ['probably a scanner', 'payhooks reconcile'];
const header: Cause = [
  'probably a proxy changes the signature header, or the setting signatureHeader is wrong',
  'payhooks reconcile',
];

const kinds: Readonly<Record<string, Kind>> = {
  mismatch: {
    meaning: 'The signature matches no key of this stack.',
    genuine: ['probably a key is missing here', 'payhooks keys add'],
    foreign: forged,
  },
  missing: { meaning: 'There is no signature.', genuine: header, foreign: scanner },
  malformed: {
    meaning: 'The signature is not 64 lowercase hexadecimal digits.',
    genuine: header,
    foreign: scanner,
  },
  key_expired: {
    meaning: 'The signature is that of a key which has expired.',
    genuine: ['probably the payment service still signs with the old key', 'payhooks keys list'],
    foreign: ['probably the old key has leaked: leave it expired', 'payhooks keys list'],
  },
  too_large: {
    meaning: `The body exceeds ${bodyBytesMax / 1_024} KiB, so its signature was not checked.`,
    genuine: ['probably genuine, and bodyBytesMax is too low', 'payhooks reconcile'],
    foreign: forged,
  },
  too_large_for_api: {
    meaning: 'The body exceeds the 10 MB that API Gateway takes.',
    genuine: ['probably genuine, and nothing here can take it', 'payhooks reconcile'],
    foreign: forged,
  },
  throttled: {
    meaning: 'API Gateway refused it: more came in a second than webhookRequestsPerSecond.',
    genuine: ['probably genuine, and webhookRequestsPerSecond is too low', 'payhooks reconcile'],
    foreign: ['probably a flood, against which a firewall helps (docs/firewall.md)', 'payhooks reconcile'],
  },
  path_unknown: {
    meaning: 'Path or method are not those of the webhook.',
    genuine: ['probably another URL is registered', 'payhooks webhooks audit'],
    foreign: scanner,
  },
};

/** Faults of this side: the sender does not matter. */
const faults: Readonly<Record<string, Judgement>> = {
  keys_unavailable: fault('The private keys could not be read.', 'payhooks keys list'),
  keys_expired: fault('Every private key has expired.', 'payhooks keys list'),
  seal_unavailable: fault('The key that seals messages could not be read.'),
  queue_unavailable: fault('The event queue did not confirm.'),
  crashed: fault('The verifier failed, ran into its time limit, or did not run.'),
};

function fault(meaning: string, command = 'payhooks status'): Judgement {
  const judgement = 'The fault is on this side. The payment service has to deliver it again.';
  return { meaning, judgement, command };
}

export function judge(evidence: Evidence): Judgement {
  const { reason } = evidence;
  const [, rule] = /^firewall:(.*)$/.exec(reason) ?? [];
  if (rule !== undefined) {
    const judgement = 'Not comparable: the API sees CloudFront, not the sender. Compare what was delivered.';
    return { meaning: `The firewall's rule ${rule} blocked it.`, judgement, command: 'payhooks reconcile' };
  }
  const kind = kinds[reason];
  if (kind === undefined) {
    const meaning = 'The verifier has no line for it.';
    const judgement = 'API Gateway refused it itself, or the line is still on its way.';
    return faults[reason] ?? { meaning, judgement, command: 'payhooks status' };
  }
  const [[judgement, command], shown] = causeOf(kind, evidence);
  const about = reason === 'mismatch' ? keySentence(evidence) : '';
  return { meaning: kind.meaning, judgement: `${capitalised(judgement)}. ${shown}${about}`, command };
}

/** The cause, and what shows it. */
function causeOf({ genuine, foreign }: Kind, evidence: Evidence): readonly [Cause, string] {
  const { reason, acceptedSince } = evidence;
  const { length: count } = addressesOf(evidence);
  const doubt = doubtOf(evidence);
  if (doubt !== undefined) {
    const hasStopped = aboutSignatures.includes(reason) && 2 * lateOf(evidence) > evidence.requests.length;
    const perhaps = genuine[0].replace('probably', 'perhaps');
    return [hasStopped ? [perhaps, 'payhooks keys list'] : ['not clear', 'payhooks reconcile'], doubt];
  }
  const known = knownOf(evidence);
  const others = 'sent webhooks that were accepted';
  if (known === 0) {
    const none = count === 1 ? 'Its address never' : `None of its ${count} addresses`;
    return [foreign, `${none} ${others} since ${minute(acceptedSince)}.`];
  }
  if (known === count) return [genuine, `Every address also ${others}.`];
  const mixed = `${genuine[0]} for ${known} of ${count} addresses, which also ${others}`;
  return [[mixed, genuine[1]], `The others: ${foreign[0]}.`];
}

const aboutSignatures: readonly string[] = ['mismatch', 'missing', 'malformed'];

/** Those that are known, each once. */
const addressesOf = ({ requests }: Evidence): readonly string[] => [
  ...new Set(requests.flatMap(({ address }) => address ?? [])),
];

const knownOf = (evidence: Evidence): number =>
  addressesOf(evidence).filter((address) => evidence.accepted.has(address)).length;

/** How many came after a key matched last. */
const lateOf = ({ requests, lastMatch }: Evidence): number =>
  lastMatch === undefined ? 0 : requests.filter(({ at }) => at > (lastMatch?.at ?? 0)).length;

/** Why the addresses show nothing. */
function doubtOf(evidence: Evidence): string | undefined {
  const { acceptedSince, lastMatch, hasFirewall } = evidence;
  const addresses = addressesOf(evidence);
  if (hasFirewall) return 'The addresses are those of the firewall, so they show nothing.';
  if (addresses.length === 0) return 'No address is in the access log yet.';
  const isOwnMachine = addresses.every((address) => /^(::ffff:)?127\.|^::1$/.test(address));
  if (isOwnMachine) return 'Every request comes from this machine, so its address shows nothing.';
  if (knownOf(evidence) > 0) return undefined;
  // Heartbeats are among the accepted requests: only a key shows that a genuine one is.
  if (lastMatch !== undefined && (lastMatch?.at ?? 0) >= acceptedSince) return undefined;
  const unknown = 'When a key last matched is not known, so the addresses show nothing.';
  return lastMatch === undefined ? unknown : `No webhook was accepted since ${minute(acceptedSince)}.`;
}

function keySentence(evidence: Evidence): string {
  const { lastMatch, requests } = evidence;
  if (lastMatch === undefined) return '';
  if (lastMatch === null) return ' No key has matched yet.';
  const [late, match] = [lateOf(evidence), `${lastMatch.keyId} at ${minute(lastMatch.at)}`];
  if (late === 0) return ` A key still matched after all of these: ${match}.`;
  return ` ${late} of ${requests.length} came after a key matched last: ${match}.`;
}

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
