/**
 * Bytes of the lines around an invocation that no function of ours writes, built with values as long as AWS's.
 * Ingestion bills the message; what CloudWatch adds to it for itself is not billed.
 */

const requestId = '8f5a3a1c-3f52-4f63-9d0e-2b1f4c7d6a90';

/** What Lambda writes about each invocation in its text format, which the stack leaves as it is. */
export const platformLines = (memoryMegabytes: number): readonly string[] => [
  `START RequestId: ${requestId} Version: $LATEST\n`,
  `END RequestId: ${requestId}\n`,
  `REPORT RequestId: ${requestId}\tDuration: 14.72 ms\tBilled Duration: 15 ms\t` +
    `Memory Size: ${memoryMegabytes} MB\tMax Memory Used: 92 MB\t\n`,
];

export interface LoggedRequest {
  readonly routeKey: string;
  readonly status: number;
  readonly responseLength: number;
}

/** A line of an API's access log, by the format in the template; a value that there is none for is a dash. */
export function accessLogLine(format: string, { routeKey, status, responseLength }: LoggedRequest): string {
  const values: Readonly<Record<string, string>> = {
    '$context.requestId': 'JKJaXmPLvHcESHA=',
    '$context.requestTime': '21/Nov/2026:09:34:32 +0000',
    '$context.identity.sourceIp': '203.0.113.195',
    '$context.routeKey': routeKey,
    '$context.status': String(status),
    '$context.responseLength': String(responseLength),
    '$context.responseLatency': '23',
    '$context.integrationLatency': '20',
  };
  return format.replaceAll(/\$context(\.\w+)+/g, (name) => values[name] ?? '-');
}

export const textBytes = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
