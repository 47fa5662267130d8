import { metricNames } from '../contract/metrics.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';

/** Something that a deployment must have outside its data path. */
interface CheckedSafeguard {
  readonly name: string;
  /** Resolves with what is not as it was deployed, in sentences. */
  readonly inspect: () => Promise<readonly string[]>;
}

export interface DeployedStack {
  /** Such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly safeguards: readonly CheckedSafeguard[];
}

export interface SelfCheckParts {
  readonly readStack: () => Promise<DeployedStack>;
  readonly telemetry: Telemetry;
}

/**
 * Counts what is not as it was deployed, with a line for each, and returns the number. A safeguard that
 * cannot be read counts, because a policy that keeps us out is a change too. Throws when nothing can be read:
 * the alarm also fires without a count.
 */
export function createSelfCheck({ readStack, telemetry }: SelfCheckParts): () => Promise<number> {
  return async function checkSafeguards() {
    try {
      const { status, safeguards } = await readStack();
      // A deployment changes one resource after the other.
      const isChanging = /_IN_PROGRESS/.test(status);
      let count = 0;
      for (const { name, inspect } of isChanging ? [] : safeguards) {
        const faults = await inspect().catch((error: unknown) => {
          telemetry.log('warn', 'safeguard not readable', { safeguard: name, ...errorFields(error) });
          return ['not readable'];
        });
        count += faults.length;
        for (const detail of faults) telemetry.log('warn', 'safeguard off', { safeguard: name, detail });
      }
      telemetry.measure(metricNames.safeguardsOff, count, 'Count');
      telemetry.log('notice', 'safeguards checked', { count, stack_status: status });
      return count;
    } finally {
      telemetry.flush();
    }
  };
}
