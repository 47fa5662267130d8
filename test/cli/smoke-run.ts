import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

export const bothKeys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_sandbox_key"}]}';
export const liveOnly = '{"private_keys":[{"key":"pri_live_key"}]}';
export const alarm = `${stackName}-EventsDelayed`;

/** A deployed stack, and `payhooks smoke` against it. */
export async function startSmoke(text = bothKeys) {
  const stack = await startDeployedStack({ keys: text });
  const smoke = async (...options: readonly string[]) => {
    const { code, stdout, stderr } = await runPayhooks(['smoke', '--stack', stackName, ...options]);
    const lineOf = (name: string) => stdout.split('\n').find((line) => line.slice(2).startsWith(name));
    return { code, stdout, stderr, lineOf, summary: stdout.trimEnd().split('\n').at(-1) };
  };
  return { ...stack, smoke };
}
