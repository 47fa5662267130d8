import { type LocalStackOptions, startLocalStack } from '../doubles/local-stack.ts';
import { nothingWaits, type OperationsRequest } from '../doubles/operations-server.ts';
import { type Run, runPayhooks } from './payhooks-process.ts';

/** Local mode with a command line, and what that requests of operations. */
export async function startLocalMode({ operations = nothingWaits, ...options }: LocalStackOptions = {}) {
  const requests: OperationsRequest[] = [];
  const stack = await startLocalStack({
    ...options,
    operations(request) {
      requests.push(request);
      return operations(request);
    },
  });
  const payhooks = (argv: readonly string[], run: Run = {}) =>
    runPayhooks([...argv, '--local', stack.url], run);
  return { ...stack, requests, payhooks, run: (...argv: string[]) => payhooks(argv) };
}
