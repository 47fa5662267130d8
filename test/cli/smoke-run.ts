import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { type Run, runPayhooks } from './payhooks-process.ts';

const liveKey = '{"private_keys":[{"key":"pri_live_key"}]}';

/** A deployed stack, and `payhooks smoke` against it. */
export async function startSmoke(text = liveKey, run: Run = {}) {
  const stack = await startDeployedStack({ keys: text });
  stack.state.outputs['HeartbeatLogGroup'] = 'shop-heartbeat';
  const smoke = (...options: readonly string[]) => runSmoke(['--stack', stackName, ...options], run);
  return { ...stack, smoke };
}

export async function runSmoke(argv: readonly string[], run: Run = {}) {
  const { code, stdout, stderr } = await runPayhooks(['smoke', ...argv], run);
  const lines = stdout.trimEnd().split('\n');
  const isOf = (name: string) => (line: string) => line.slice(2).startsWith(name);
  return {
    code,
    stdout,
    stderr,
    summary: lines.at(-1),
    /** The line of a check, if it has run. */
    lineOf: (name: string) => lines.find(isOf(name)),
    /** The first suggested fix of a check. */
    fixOf: (name: string) => lines[lines.findIndex(isOf(name)) + 1],
  };
}
