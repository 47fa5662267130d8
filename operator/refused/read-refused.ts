import { openOperations } from '../apis.ts';
import type { RefusedDocument, RefusedGroup } from '../documents.ts';
import { acceptedBeforeMilliseconds, acceptedBeforeMillisecondsMax, refusedAddressesMax } from '../limits.ts';
import { nextCommand, type Stack } from '../stack/stack.ts';
import { type Evidence, judge } from './judge.ts';
import { type RefusedRequest, readAcceptedAddresses, readRefusedRequests, type Span } from './requests.ts';

/** What was refused in a time, by reason, with who probably sent it. */
export async function readRefused(stack: Stack, span: Span): Promise<RefusedDocument> {
  const lastMatch = await readLastMatch(stack).catch(() => undefined);
  const acceptedSince = Math.max(
    Math.min(span.since, lastMatch?.at ?? span.since) - acceptedBeforeMilliseconds,
    span.since - acceptedBeforeMillisecondsMax,
  );
  const [{ requests, since, hasFirewall }, accepted] = await Promise.all([
    readRefusedRequests(stack, span),
    readAcceptedAddresses(stack, { since: acceptedSince, until: span.until }),
  ]);
  const known = { accepted, acceptedSince, lastMatch, hasFirewall };
  const groups = [...Map.groupBy(requests, ({ reason }) => reason).entries()];
  return {
    ...{ since: iso(since), until: iso(span.until), is_cut: since > span.since, count: requests.length },
    groups: groups
      .map(([reason, own]) => groupOf(stack, { ...known, reason, requests: own }))
      .toSorted((a, b) => b.count - a.count),
  };
}

async function readLastMatch(stack: Stack): Promise<Evidence['lastMatch']> {
  const { keys } = await openOperations(stack).keys();
  // The match of a sandbox key proves nothing about a live one.
  const [last] = keys
    .filter(({ mode }) => mode === 'live')
    .toSorted((a, b) => (a.last_matched_at < b.last_matched_at ? 1 : -1));
  return last === undefined ? null : { keyId: last.key_id, at: Date.parse(last.last_matched_at) };
}

function groupOf(stack: Stack, evidence: Evidence): RefusedGroup {
  const { reason, requests, accepted } = evidence;
  const [meaning, judgement, command] = judge(evidence);
  const addresses = [...Map.groupBy(requests, ({ address }) => address)]
    .map(([address, own]) => {
      const isAccepted = address !== null && accepted.has(address);
      return { address, accepted: isAccepted, ...seenOf(own), bytes: bytesOf(own) };
    })
    .toSorted((a, b) => b.count - a.count);
  return {
    ...{ reason, status: requests[0]?.status ?? 0, ...seenOf(requests), meaning, judgement },
    command: nextCommand(stack, command),
    addresses: addresses.slice(0, refusedAddressesMax),
    more_addresses: Math.max(0, addresses.length - refusedAddressesMax),
  };
}

function bytesOf(requests: readonly RefusedRequest[]): string | null {
  const sizes = requests.flatMap(({ bytes }) => bytes ?? []);
  const ends = new Set([Math.min(...sizes), Math.max(...sizes)]);
  return sizes.length === 0 ? null : [...ends].join('-');
}

function seenOf(requests: readonly RefusedRequest[]) {
  const times = requests.map(({ at }) => at);
  return { count: requests.length, first_at: iso(Math.min(...times)), last_at: iso(Math.max(...times)) };
}

const iso = (at: number): string => new Date(at).toISOString();
