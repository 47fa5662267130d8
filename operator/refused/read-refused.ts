import { openOperations } from '../apis.ts';
import type { RefusedAddress, RefusedDocument, RefusedGroup } from '../documents.ts';
import { acceptedBeforeMilliseconds, acceptedBeforeMillisecondsMax, refusedAddressesMax } from '../limits.ts';
import { nextCommand, type Stack } from '../stack/stack.ts';
import { type Evidence, judge } from './judge.ts';
import { type RefusedRequest, readAcceptedAddresses, readRefusedRequests, type Span } from './requests.ts';

/** What was refused in a time, by reason, with who probably sent it. */
export async function readRefused(stack: Stack, span: Span): Promise<RefusedDocument> {
  const lastMatch = await readLastMatch(stack);
  const acceptedSince = Math.max(
    Math.min(span.since, lastMatch?.at ?? span.since) - acceptedBeforeMilliseconds,
    span.since - acceptedBeforeMillisecondsMax,
  );
  const [{ requests, since, hasFirewall }, accepted] = await Promise.all([
    readRefusedRequests(stack, span),
    readAcceptedAddresses(stack, { since: acceptedSince, until: span.until }),
  ]);
  const known = { accepted, acceptedSince, lastMatch, hasFirewall };
  const groups = [...Map.groupBy(requests, ({ reason }) => reason).values()];
  return {
    ...{ since: iso(since), until: iso(span.until), is_cut: since > span.since, count: requests.length },
    groups: groups.map((group) => groupOf(stack, group, known)).toSorted((a, b) => b.count - a.count),
  };
}

/** Without the permission the requests are still of use. */
async function readLastMatch(stack: Stack): Promise<Evidence['lastMatch']> {
  try {
    const { keys } = await openOperations(stack).keys();
    const last = keys.toSorted((a, b) => (a.last_matched_at < b.last_matched_at ? 1 : -1))[0];
    return last === undefined ? null : { keyId: last.key_id, at: Date.parse(last.last_matched_at) };
  } catch {
    return undefined;
  }
}

type Known = Omit<Evidence, 'reason' | 'requests'>;

function groupOf(stack: Stack, requests: readonly RefusedRequest[], known: Known): RefusedGroup {
  const { reason = '', status = 0 } = requests[0] ?? {};
  const { command, ...sentences } = judge({ ...known, reason, requests });
  const rows = [...Map.groupBy(requests, ({ address }) => address)]
    .map(([address, own]) => addressOf(address, own, known))
    .toSorted((a, b) => b.count - a.count);
  return {
    ...{ reason, status, ...sizeOf(requests), ...sentences, command: nextCommand(stack, command) },
    addresses: rows.slice(0, refusedAddressesMax),
    more_addresses: Math.max(0, rows.length - refusedAddressesMax),
  };
}

function addressOf(
  address: string | null,
  requests: readonly RefusedRequest[],
  { accepted }: Known,
): RefusedAddress {
  const bytes = requests.flatMap((request) => request.bytes ?? []);
  return {
    ...{ address, accepted: address !== null && accepted.has(address), ...sizeOf(requests) },
    bytes_min: bytes.length === 0 ? null : Math.min(...bytes),
    bytes_max: bytes.length === 0 ? null : Math.max(...bytes),
  };
}

function sizeOf(requests: readonly RefusedRequest[]) {
  const times = requests.map(({ at }) => at);
  return { count: requests.length, first_at: iso(Math.min(...times)), last_at: iso(Math.max(...times)) };
}

const iso = (at: number): string => new Date(at).toISOString();
