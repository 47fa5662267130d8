import { waits } from '../operator/limits.ts';
import { defaultLocalUrl } from '../operator/stack/stack.ts';
import { createInput } from './input.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

const exitCode = await run(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process.stdout, process.stderr),
  input: createInput(process.stdin, process.stderr),
  now: Date.now,
  defaultLocalUrl,
  waits,
});
process.exitCode = exitCode;
// What still waits for AWS when a signal has ended a command would keep the process for minutes. It ends once
// its output has been read, or after half a second.
if (exitCode > 128) {
  const end = (milliseconds: number) => setTimeout(() => process.exit(), milliseconds).unref();
  process.stdout.write('', () => end(100));
  end(500);
}
