import { bodyBytesMax } from '../../lambdas/contract/limits.ts';
import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import { capitalised } from '../../lambdas/domain/money-text.ts';
import type { RefusedRequest } from './requests.ts';

/** What a group of refused requests is judged by. Times are milliseconds since the epoch. */
export interface Evidence {
  readonly reason: string;
  readonly requests: readonly RefusedRequest[];
  /** The addresses that webhooks were accepted from. */
  readonly accepted: ReadonlySet<string>;
  /** From when on the accepted ones are known. */
  readonly acceptedSince: number;
  /** The live key that matched last, if any has; `undefined` if that is not known. */
  readonly lastMatch: { readonly keyId: string; readonly at: number } | null | undefined;
  /** Whether CloudFront sends what the API receives. */
  readonly hasFirewall: boolean;
}

/** What it probably is, and the next command, without `npx` and without `--stack`. */
type Cause = readonly [text: string, command: string];

/** The causes: from addresses that also sent accepted webhooks, and from others. */
type Kind = readonly [meaning: string, genuine: Cause, foreign: Cause];

const reconcile = 'payhooks reconcile';
const forged: Cause = ['probably forged, or a test such as payhooks smoke', reconcile];
const scanner: Cause = ['probably a scanner', reconcile];
const unreadable: Kind = [
  'There is no signature of 64 lowercase hexadecimal digits.',
  ['probably a proxy changes the header, or the setting signatureHeader is wrong', reconcile],
  scanner,
];

const kinds: Readonly<Record<string, Kind>> = {
  mismatch: [
    'The signature matches no key of this stack.',
    ['probably a key is missing here', 'payhooks keys add'],
    forged,
  ],
  missing: unreadable,
  malformed: unreadable,
  key_expired: [
    'The signature is that of a key which has expired.',
    ['probably the payment service still signs with the old key', 'payhooks keys list'],
    ['probably the old key has leaked: leave it expired', 'payhooks keys list'],
  ],
  too_large: [
    `The body exceeds ${bodyBytesMax / 1_024} KiB, so its signature was not checked.`,
    ['probably genuine, and bodyBytesMax is too low', reconcile],
    forged,
  ],
  throttled: [
    'API Gateway takes no more a second than webhookRequestsPerSecond.',
    ['probably genuine, and webhookRequestsPerSecond is too low', reconcile],
    ['probably a flood, against which a firewall helps (docs/firewall.md)', reconcile],
  ],
  unknown_path: [
    'Path or method are not those of the webhook.',
    ['probably another URL is registered', 'payhooks webhooks audit'],
    scanner,
  ],
};

const faults: Readonly<Record<string, string>> = {
  keys_unavailable: 'The private keys could not be read.',
  keys_expired: 'Every private key has expired.',
  seal_unavailable: 'The key that seals messages could not be read.',
  queue_unavailable: 'The event queue did not confirm.',
  crashed: 'The verifier failed, ran into its time limit, or did not run.',
};

/** The meaning of the reason, who probably sent the requests, and the next command. */
export function judge(evidence: Evidence): readonly [meaning: string, judgement: string, command: string] {
  const { reason } = evidence;
  const kind = kinds[reason];
  if (kind !== undefined) {
    const [[cause, command], shown] = causeOf(kind, evidence);
    const about = reason === 'mismatch' ? keySentence(evidence) : '';
    return [kind[0], `${capitalised(cause)}. ${shown}${about}`, command];
  }
  if (reason.startsWith('firewall:'))
    return [
      'A rule of the firewall blocked it.',
      'What was delivered shows whether it was genuine.',
      reconcile,
    ];
  const fault = 'The fault is on this side. The payment service has to deliver it again.';
  const command = reason.startsWith('keys_') ? 'payhooks keys list' : 'payhooks status';
  if (faults[reason] !== undefined) return [faults[reason], fault, command];
  const noLine = 'API Gateway refused it itself, or the line is still on its way.';
  return ['The verifier has no line for it.', noLine, command];
}

/** The cause, and what shows it. */
function causeOf([, genuine, foreign]: Kind, evidence: Evidence): readonly [Cause, string] {
  const addresses = [...new Set(evidence.requests.flatMap(({ address }) => address ?? []))];
  const known = addresses.filter((address) => evidence.accepted.has(address)).length;
  const doubt = doubtOf(evidence, addresses, known);
  if (doubt !== undefined) {
    const isAboutSignature = ['mismatch', 'missing', 'malformed'].includes(evidence.reason);
    const hasStopped = isAboutSignature && 2 * lateOf(evidence) > evidence.requests.length;
    const cause = hasStopped ? genuine[0].replace('probably', 'perhaps') : 'not clear';
    const proof = `What ${reconcile} lists with 403 is genuine; the rest is forged and needs nothing.`;
    return [[cause, reconcile], isAboutSignature ? `${doubt} ${proof}` : doubt];
  }
  const others = 'sent webhooks that were accepted';
  const [all, since] = [addresses.length, minute(evidence.acceptedSince)];
  if (known === 0) {
    const none = all === 1 ? 'Its address never' : `None of its ${all} addresses`;
    return [foreign, `${none} ${others} since ${since}.`];
  }
  if (known === all) return [genuine, `Every address also ${others}.`];
  const part = `${genuine[0]} for ${known} of ${all} addresses, which also ${others}`;
  return [[part, genuine[1]], `The others: ${foreign[0]}.`];
}

/** Why the addresses show nothing. */
function doubtOf(evidence: Evidence, addresses: readonly string[], known: number): string | undefined {
  const { accepted, acceptedSince, lastMatch, hasFirewall } = evidence;
  if (hasFirewall) return 'The addresses may be those of the firewall, so they show nothing.';
  if (addresses.length === 0) return 'No address is in the access log yet.';
  if (addresses.every((address) => /^(::ffff:)?127\.|^::1$/.test(address)))
    return 'Every request comes from this machine, so its address shows nothing.';
  // Heartbeats are among the accepted requests: only a key shows that a genuine one is.
  const isGenuineAmong = accepted.size > 0 && (lastMatch?.at ?? 0) >= acceptedSince;
  if (known > 0 || isGenuineAmong) return undefined;
  if (lastMatch === undefined) return 'When a key last matched is not known, so the addresses show nothing.';
  return `No accepted webhook is known since ${minute(acceptedSince)}.`;
}

/** How many came after a key matched last, though that is stored only every few minutes. */
const lateOf = ({ requests, lastMatch }: Evidence): number =>
  lastMatch === undefined
    ? 0
    : requests.filter(({ at }) => at > (lastMatch?.at ?? 0) + keyUseIntervalSeconds * 1_000).length;

function keySentence(evidence: Evidence): string {
  const { lastMatch, requests } = evidence;
  if (lastMatch === undefined) return '';
  if (lastMatch === null) return ' No live key has matched yet.';
  const [late, match] = [lateOf(evidence), `${lastMatch.keyId} at ${minute(lastMatch.at)}`];
  if (requests.every(({ at }) => at <= lastMatch.at))
    return ` A key still matched after all of these: ${match}.`;
  return late === 0
    ? ''
    : ` The last match of a key was ${match}, before ${late} of these ${requests.length}.`;
}

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
