#!/usr/bin/env node
// Every Node can read this file: an old one, such as a system's own, starts the Node that `npm ci` installed.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { join } = require('node:path');

const root = join(__dirname, '..');
const program = join(root, 'cli', 'payhooks.ts');
const guard = join(__dirname, 'node-guard.cjs');
const cache = join(__dirname, 'compile-cache.cjs');
const installed = join(root, 'node_modules', '.bin', 'node');
const isOld = Number.parseInt(process.versions.node, 10) < 24;

// Prints which Node is needed, and exits.
if (isOld && !existsSync(installed)) require(guard);

const node = isOld ? installed : process.execPath;
// The condition makes Node run the packages of this repository from their TypeScript sources.
const argv = ['--conditions=payhooks-source', '-r', guard, '-r', cache, program, ...process.argv.slice(2)];
const child = spawn(node, argv, { stdio: 'inherit' });
// A terminal sends its signals to both processes; a signal that only this one gets is passed on.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const fromTerminal = process.stdin.isTTY && signal !== 'SIGTERM' && signal !== 'SIGHUP';
    if (!fromTerminal) child.kill(signal);
  });
}
child.on('error', (error) => {
  process.stderr.write(`${node} cannot be run: ${error.message}\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
