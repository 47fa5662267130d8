import { describeNamedStack } from '../../operator/aws/stacks.ts';
import { describeDeployed, safeguardsOf } from '../../operator/safeguards/inspect.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createSelfCheck } from './self-check.ts';

const isLocal = optionalVariable(variables.isLocal) !== undefined;
/** Local mode has no policies, and one deployment, which is its whole stack. */
const local = isLocal ? { localUrl: 'http://127.0.0.1' } : {};
const address = requiredVariable(variables.stackName);
const name = isLocal ? address.replace(/\/.*/, '') : address;

/** The same code as `payhooks status`. */
export const handler = createSelfCheck({
  async readStack() {
    const stack = { ...(await describeNamedStack(name)), ...local };
    const deployed = await describeDeployed(stack);
    const safeguards = safeguardsOf(stack).map(({ type, inspect }) => ({
      name: type,
      inspect: async () =>
        (await inspect(deployed)).flatMap((fault) => (fault.isPassing ? [] : fault.message)),
    }));
    return { status: stack.status ?? '', safeguards };
  },
  telemetry: createTelemetry(),
});
