import { useStack } from '../data/stack.ts';
import { commandOf } from './commands.ts';

/** Completes a command with the option that names the stack of this console. */
export function useCommand(): (command: string) => string {
  const { data } = useStack();
  return (command) => commandOf(command, data?.stack_option ?? '');
}
