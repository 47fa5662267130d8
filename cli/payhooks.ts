import { createInput } from './input.ts';
import { run } from './run.ts';
import { defaultLocalUrl } from './target/local-mode.ts';
import { createTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  terminal: createTerminal(process.stdout, process.stderr),
  input: createInput(process.stdin, process.stderr),
  now: Date.now,
  defaultLocalUrl,
});
