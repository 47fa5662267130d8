import { shellQuoted } from '../../../cli/shell-quoted.ts';
import { nextCommand, type Stack } from '../../../cli/target/stack.ts';

/** The runbook leaves out `npx` and `--stack`. */
const shortForm = /^payhooks \S/;

/** The complete command for this stack; `undefined` for other code. */
export const completeCommand = (stack: Stack, code: string): string | undefined =>
  shortForm.test(code) ? nextCommand(stack, code) : undefined;

/** A line of a block of commands: complete, and with the values of the outputs that it names. */
export function adaptLine(stack: Stack, line: string): string {
  const withOutputs = line.replaceAll(/\b[A-Z]\w+\b/g, (name) => {
    const value = stack.outputs[name];
    return value === undefined ? name : shellQuoted(value);
  });
  return completeCommand(stack, withOutputs) ?? withOutputs;
}
