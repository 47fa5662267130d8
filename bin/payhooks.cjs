#!/usr/bin/env node
// Every Node can read this file: whoever starts it with an old one, as a system's own, gets the Node that
// `npm ci` has put beside it, and where there is none the sentence of the guard.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = join(__dirname, '..');
const program = join(root, 'cli', 'payhooks.ts');
const guard = join(__dirname, 'node-guard.cjs');
const installed = join(root, 'node_modules', '.bin', 'node');
const isOld = Number.parseInt(process.versions.node, 10) < 24;

if (!existsSync(program)) {
  // npm packs this file whatever the package is for, and the package is for the typed client alone.
  process.stderr.write(
    'This package holds payhooks/client. The command runs in a clone of the repository.\n',
  );
  process.exitCode = 1;
} else if (isOld && existsSync(installed)) {
  const argv = ['-r', guard, program, ...process.argv.slice(2)];
  const child = spawn(installed, argv, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${installed} cannot be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code;
  });
} else {
  require(guard);
  import(pathToFileURL(program).href);
}
