#!/usr/bin/env node
// The command of the package `payhooks`. Every Node can read this file.
const required = 22;
const { node: running } = process.versions;
if (Number.parseInt(running, 10) >= required) {
  require('node:module').enableCompileCache?.();
  import('../dist/cli/payhooks.mjs');
} else {
  process.stderr.write(
    `The payhooks command needs Node ${required} or newer; this is Node ${running} (${process.execPath}). ` +
      'Install a newer Node from nodejs.org or with your version manager.\n',
  );
  process.exitCode = 1;
}
