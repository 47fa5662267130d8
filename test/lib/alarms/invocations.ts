import { vi } from 'vitest';
import { createTelemetry } from '../../../lambdas/aws/telemetry.ts';
import type { Telemetry } from '../../../lambdas/ports/telemetry.ts';
import type { Synthesis } from '../synthesis.ts';
import type { createAwsMetrics } from './aws-metrics.ts';

/** Telemetry as the function of a construct creates it, with the variables of the template. */
export function telemetryOf(stack: Synthesis, construct: string): Telemetry {
  for (const [name, value] of Object.entries(stack.variablesOf(construct)))
    if (typeof value === 'string') vi.stubEnv(name, value);
  try {
    return createTelemetry();
  } finally {
    vi.unstubAllEnvs();
  }
}

interface InvocationsParts {
  readonly aws: ReturnType<typeof createAwsMetrics>;
  readonly onLine: (line: string) => void;
  /** The constructs whose function Lambda throttles. */
  readonly throttled: ReadonlySet<string>;
  /** The log groups that were deleted; what is written to them is lost. */
  readonly deletedLogs: ReadonlySet<string>;
}

export type Invocation<Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'throttled' };
export type Invoke = <Result>(construct: string, run: () => Promise<Result>) => Promise<Invocation<Result>>;

/** Runs stages as Lambda does: it reads their lines, and counts invocations, errors and throttles. */
export function createInvoke({ aws, onLine, throttled, deletedLogs }: InvocationsParts): Invoke {
  return async function invoke(construct, run) {
    if (throttled.has(construct)) {
      aws.throttled(construct);
      return { outcome: 'throttled' };
    }
    const lines: string[] = [];
    // Not spies: an invocation may run within another, such as a heartbeat's delivery.
    const outputs = [process.stdout, process.stderr].map((output) => ({ output, write: output.write }));
    for (const { output } of outputs) output.write = (chunk) => lines.push(String(chunk)) > 0;
    try {
      const result = await run();
      aws.invoked(construct, { failed: false, lines: lines.length });
      return { outcome: 'done', result };
    } catch {
      aws.invoked(construct, { failed: true, lines: lines.length });
      return { outcome: 'failed' };
    } finally {
      for (const { output, write } of outputs) output.write = write;
      if (!deletedLogs.has(`${construct}/Function/Logs`)) for (const line of lines) onLine(line);
    }
  };
}
