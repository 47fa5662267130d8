import { describeNamedStack } from '../../operator/aws/stacks.ts';
import { describeDeployed, safeguardsOf } from '../../operator/safeguards/inspect.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createSelfCheck } from './self-check.ts';

const stackName = requiredVariable(variables.stackName);
/** Local mode has no policies. */
const local = optionalVariable(variables.isLocal) === undefined ? {} : { localUrl: 'http://127.0.0.1' };

/** The same code as `payhooks status`. */
export const handler = createSelfCheck({
  async readStack() {
    const stack = { ...(await describeNamedStack(stackName)), ...local };
    const deployed = await describeDeployed(stack);
    const safeguards = safeguardsOf(stack).map(({ type: name, inspect }) => ({
      name,
      inspect: async () =>
        (await inspect(deployed)).flatMap((fault) => (fault.isPassing ? [] : fault.message)),
    }));
    return { status: stack.status ?? '', safeguards };
  },
  telemetry: createTelemetry(),
});
