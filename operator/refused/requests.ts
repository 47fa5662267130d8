import * as v from 'valibot';
import { isAwsError, isMissingPermission } from '../aws/errors.ts';
import type { Line } from '../aws/log-search.ts';
import { logRowsMax } from '../limits.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

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

const textSchema = <Fields extends v.ObjectEntries>(fields: Fields) =>
  v.pipe(v.string(), v.parseJson(), v.object(fields));

/** How the verifier logs what it does not accept; with a `count` it stands for others of its reason too. */
const verifierLine = textSchema({
  message: v.picklist(['webhook refused', 'webhook failed']),
  ...{ request_id: v.string(), reason: v.string(), status: v.number(), bytes: v.nullish(v.number(), null) },
  count: v.optional(v.number(), 1),
});
const accessLine = textSchema({ requestId: v.string(), ip: v.string(), status: v.string() });
const firewallLine = textSchema({
  ...{
    action: v.literal('BLOCK'),
    terminatingRuleId: v.string(),
    requestBodySize: v.nullish(v.number(), null),
  },
  ...{ responseCodeSent: v.nullish(v.number(), 403), httpRequest: v.object({ clientIp: v.string() }) },
});

const accepted = '202';

/** Reads what the schema fits, with the time of each line. */
const read = <Schema extends v.GenericSchema>(lines: readonly Line[], schema: Schema) =>
  lines.flatMap(({ at, text }) => {
    const line = v.safeParse(schema, text);
    return line.success ? [{ at, ...(line.output as v.InferOutput<Schema> & object) }] : [];
  });

/**
 * Every request of a time that got no 2xx, from the access log, with the reason and size that the verifier
 * logged. `since` is later than given if CloudWatch returned the newest ones alone.
 */
export async function readRefusedRequests(stack: Stack, span: Span) {
  const { newestLines } = await import('../aws/log-search.ts');
  const search = async (output: string, filter: string) =>
    newestLines(stack, { ...span, logGroupName: outputOf(stack, output), filter });
  const [verifier, access, firewall] = await Promise.all([
    search('VerifierLogGroup', 'message in ["webhook refused", "webhook failed"]'),
    search('WebhookAccessLogGroup', `status != "${accepted}"`),
    readFirewall(stack, span),
  ]);
  const since = Math.max(...[verifier, access, firewall ?? []].map((lines) => beginOf(lines, span.since)));
  const requests = [
    ...join(read(verifier, verifierLine), read(access, accessLine)),
    ...read(firewall ?? [], firewallLine).map(({ at, httpRequest, ...line }) => ({
      ...{ at, status: line.responseCodeSent, reason: `firewall:${line.terminatingRuleId}` },
      ...{ address: httpRequest.clientIp, bytes: line.requestBodySize },
    })),
  ];
  return { requests: requests.filter(({ at }) => at >= since), since, hasFirewall: firewall !== undefined };
}

const beginOf = (lines: readonly Line[], since: number): number =>
  lines.length < logRowsMax ? since : Math.min(...lines.map(({ at }) => at));

type VerifierLine = v.InferOutput<typeof verifierLine> & Pick<Line, 'at'>;
type AccessLine = v.InferOutput<typeof accessLine> & Pick<Line, 'at'>;

function join(verifier: readonly VerifierLine[], access: readonly AccessLine[]): readonly RefusedRequest[] {
  const reasons = new Map(verifier.map((line) => [line.request_id, line]));
  // In a flood the verifier only counts most requests; then the reason that it counted most is theirs.
  const sums = verifier.filter(({ count }) => count > 1).toSorted((a, b) => a.count - b.count);
  const summed = new Map(sums.map(({ status, reason }) => [status, reason]));
  const seen = new Set(access.map(({ requestId }) => requestId));
  const late = verifier.filter(({ request_id }) => !seen.has(request_id));
  return [
    ...access.flatMap(({ at, requestId, ip: address, status: text }) => {
      const [line, status] = [reasons.get(requestId), Number(text)];
      if (text === accepted) return [];
      const reason = line?.reason ?? summed.get(status) ?? reasonOfApi(status);
      return [{ at, status, reason, address, bytes: line?.bytes ?? null }];
    }),
    ...late.map(({ at, status, reason, bytes }) => ({ at, status, reason, address: null, bytes })),
  ];
}

/** Why API Gateway itself refused a request. */
function reasonOfApi(status: number): string {
  if (status === 404) return 'path_unknown';
  if (status === 413) return 'too_large_for_api';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'crashed' : 'not_logged';
}

/** What AWS WAF blocked; `undefined` without our firewall, or without the permission. */
async function readFirewall({ name, localUrl }: Stack, span: Span): Promise<readonly Line[] | undefined> {
  if (localUrl !== undefined) return undefined;
  const { newestLines } = await import('../aws/log-search.ts');
  const logGroupName = `aws-waf-logs-${name.replace(/^payhooks-/, 'payhooks-firewall-')}`;
  const stack: Stack = { name, outputs: {}, region: 'us-east-1' };
  return newestLines(stack, { ...span, logGroupName, filter: 'action = "BLOCK"' }).catch((error: unknown) => {
    if (isAwsError(error, 'ResourceNotFoundException') || isMissingPermission(error)) return undefined;
    throw error;
  });
}

/** The addresses that webhooks were accepted from. */
export async function readAcceptedAddresses(stack: Stack, span: Span): Promise<ReadonlySet<string>> {
  const { newestLines, searchLogs } = await import('../aws/log-search.ts');
  const logGroupName = outputOf(stack, 'WebhookAccessLogGroup');
  const filter = `status = "${accepted}"`;
  if (stack.localUrl === undefined) {
    const queryString = `filter ${filter} | stats count(*) as requests by ip | limit ${logRowsMax}`;
    const search = { ...span, region: stack.region, logGroupNames: [logGroupName], queryString };
    return new Set((await searchLogs(search)).flatMap(({ ip }) => ip ?? []));
  }
  const lines = read(await newestLines(stack, { ...span, logGroupName, filter }), accessLine);
  return new Set(lines.filter(({ status }) => status === accepted).map(({ ip }) => ip));
}
