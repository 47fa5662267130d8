import * as v from 'valibot';
import { isAwsError, isMissingPermission } from '../aws/errors.ts';
import type { Line } from '../aws/log-search.ts';
import { logRowsMax } from '../limits.ts';
import { deploymentNameOf, outputOf, type Stack } from '../stack/stack.ts';

/** A request for the webhook URL that got no 2xx. */
export interface RefusedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly reason: string;
  /** `null` until the access log has its line. */
  readonly address: string | null;
  /** `null` where only the access log has it. */
  readonly bytes: number | null;
}

/** Milliseconds since the epoch. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

const size = v.nullish(v.number(), null);
/** What the verifier does not accept; with a `count` the line stands for others of its reason too. */
const verifierLine = v.object({
  message: v.picklist(['webhook refused', 'webhook failed']),
  ...{ request_id: v.string(), reason: v.string(), status: v.number(), bytes: size },
  count: v.optional(v.number(), 1),
});
const accessLine = v.object({ requestId: v.string(), ip: v.string(), status: v.string() });
const firewallLine = v.object({
  ...{ action: v.literal('BLOCK'), terminatingRuleId: v.string(), requestBodySize: size },
  ...{ responseCodeSent: v.nullish(v.number(), 403), httpRequest: v.object({ clientIp: v.string() }) },
});

/** The lines that the schema fits, each with its time. */
const read = <Schema extends v.GenericSchema<unknown, object>>(lines: readonly Line[], schema: Schema) =>
  lines.flatMap(({ at, text }) => {
    const line = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    return line.success ? [{ ...(line.output as v.InferOutput<Schema>), at }] : [];
  });

/**
 * Every request of a time that got no 2xx, from the access log, with the reason and size that the verifier
 * logged. `since` is later than given if CloudWatch returned the newest ones alone.
 */
export async function readRefusedRequests(stack: Stack, span: Span) {
  const { newestLines } = await import('../aws/log-search.ts');
  const [verifier, access, firewall] = await Promise.all([
    newestLines(stack, 'VerifierLogGroup', {
      ...{ ...span, filter: 'message in ["webhook refused", "webhook failed"]' },
    }),
    newestLines(stack, 'WebhookAccessLogGroup', { ...span, filter: 'status != "202"' }),
    readFirewall(stack, span),
  ]);
  const full = [verifier, access, firewall ?? []].filter(({ length }) => length >= logRowsMax);
  const since = Math.max(span.since, ...full.map((lines) => Math.min(...lines.map(({ at }) => at))));
  const requests = [
    ...joined(read(verifier, verifierLine), read(access, accessLine)),
    ...read(firewall ?? [], firewallLine).map(({ at, httpRequest, ...line }) => ({
      ...{ at, status: line.responseCodeSent, reason: `firewall:${line.terminatingRuleId}` },
      ...{ address: httpRequest.clientIp, bytes: line.requestBodySize },
    })),
  ];
  return { requests: requests.filter(({ at }) => at >= since), since, hasFirewall: firewall !== undefined };
}

type Timed<Schema extends v.GenericSchema> = v.InferOutput<Schema> & Pick<Line, 'at'>;

function joined(
  verifier: readonly Timed<typeof verifierLine>[],
  access: readonly Timed<typeof accessLine>[],
): readonly RefusedRequest[] {
  const byId = new Map(verifier.map((line) => [line.request_id, line]));
  // In a flood the verifier only counts most requests; then the reason that it counted most is theirs.
  const sums = verifier.filter(({ count }) => count > 1).toSorted((a, b) => a.count - b.count);
  const summed = new Map(sums.map(({ status, reason }) => [status, reason]));
  const requests = access.map(({ at, requestId, ip: address, status: text }) => {
    const [line, status] = [byId.get(requestId), Number(text)];
    byId.delete(requestId);
    const reason = line?.reason ?? summed.get(status) ?? reasonOfApi(status);
    return { at, status, reason, address, bytes: line?.bytes ?? null };
  });
  const late = [...byId.values()].map((line) => ({ ...line, address: null }));
  return [...requests.filter(({ status }) => status !== 202), ...late];
}

const reasonsOfApi: Readonly<Record<number, string>> = {
  404: 'unknown_path',
  413: 'too_large',
  429: 'throttled',
};
/** Why API Gateway itself refused a request. */
const reasonOfApi = (status: number): string =>
  reasonsOfApi[status] ?? (status >= 500 ? 'crashed' : 'not_logged');

/** What AWS WAF blocked; `undefined` without our firewall. Without the permission, one may be there. */
async function readFirewall(stack: Stack, span: Span): Promise<readonly Line[] | undefined> {
  const { name, localUrl, outputs } = stack;
  if (localUrl !== undefined) return undefined;
  const { newestLines } = await import('../aws/log-search.ts');
  const FirewallLogGroup = `aws-waf-logs-${deploymentNameOf(stack)}`;
  const firewall: Stack = { name, region: 'us-east-1', outputs: { FirewallLogGroup } };
  const search = { ...span, filter: 'action = "BLOCK"' };
  return newestLines(firewall, 'FirewallLogGroup', search).catch((error: unknown) => {
    if (isAwsError(error, 'ResourceNotFoundException')) return undefined;
    if (!isMissingPermission(error)) throw error;
    // A firewall calls a domain of the stack.
    return outputs['WebhookDomainTarget'] === undefined ? undefined : [];
  });
}

/** The addresses that webhooks were accepted from. */
export async function readAcceptedAddresses(stack: Stack, span: Span): Promise<ReadonlySet<string>> {
  const { readLines, searchLogs } = await import('../aws/log-search.ts');
  const group = 'WebhookAccessLogGroup';
  if (stack.localUrl !== undefined) {
    const lines = read(await readLines(stack, group, span), accessLine);
    return new Set(lines.flatMap(({ status, ip }) => (status === '202' ? ip : [])));
  }
  const queryString = `filter status = "202" | stats count(*) as requests by ip | limit ${logRowsMax}`;
  const search = { ...span, region: stack.region, logGroupNames: [outputOf(stack, group)], queryString };
  return new Set((await searchLogs(search)).flatMap(({ ip }) => ip ?? []));
}
