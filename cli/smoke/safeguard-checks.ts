import type { Deployed } from '../../operator/aws/deployed-resources.ts';
import { type CheckResult, failed, passed } from '../../operator/check-result.ts';
import type { Fault, Inspection } from '../../operator/safeguards/safeguard.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Deployment } from './deployment.ts';

/** Whether everything outside the data path is as it was deployed. */
export async function checkSafeguards(runner: CheckRunner, { stack }: Deployment): Promise<void> {
  const { describeDeployed } = await import('../../operator/aws/deployed-resources.ts');
  const { safeguards } = await import('../../operator/safeguards/safeguards.ts');
  let deployed: Promise<Deployed> | undefined;
  for (const { name, inspect } of safeguards) {
    await runner.run(name, async () => {
      deployed ??= describeDeployed(stack);
      return resultOf(stack, await inspect(await deployed));
    });
  }
}

function resultOf(stack: Stack, { holds, faults }: Inspection): CheckResult {
  if (faults.length === 0) return passed(holds);
  return failed(faults.map(({ message }) => message).join('; '), ...fixesOf(stack, faults));
}

function fixesOf(stack: Stack, faults: readonly Fault[]): string[] {
  const isRepairable = faults.some(({ repair }) => repair !== undefined);
  const others = faults.flatMap(({ fix }) => fix ?? []);
  return [...new Set([...(isRepairable ? [nextCommand(stack, 'payhooks repair')] : []), ...others])];
}
