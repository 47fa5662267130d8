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

class SafeguardsOffError extends Error {
  override readonly name = 'SafeguardsOffError';
}

/**
 * Throws when anything is not as it was deployed, with a line for each: the alarm goes by successful runs,
 * which Lambda counts. A safeguard that cannot be read counts, because a policy that keeps us out is a change
 * too.
 */
export function createSelfCheck({ readStack, telemetry }: SelfCheckParts): () => Promise<void> {
  return async function checkSafeguards() {
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
    telemetry.log('notice', 'safeguards checked', { count, stack_status: status });
    if (count > 0) throw new SafeguardsOffError(`Not as it was deployed: ${count}; each has a line above.`);
  };
}
