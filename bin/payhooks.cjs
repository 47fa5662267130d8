#!/usr/bin/env node
// Every Node can read this file: an old one, such as a system's own, starts the Node that `npm ci` installed.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = join(__dirname, '..');
const installed = join(root, 'node_modules', '.bin', 'node');
const isOld = Number.parseInt(process.versions.node, 10) < 24;

if (isOld && existsSync(installed)) startWith(installed);
else startHere();

function startHere() {
  // It prints which Node is needed, and exits.
  require('./node-guard.cjs');
  require('./compile-cache.cjs');
  import(pathToFileURL(join(root, 'cli', 'payhooks.ts')).href);
}

function startWith(node) {
  const child = require('node:child_process').spawn(node, process.argv.slice(1), { stdio: 'inherit' });
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
    process.exitCode = code ?? 128 + require('node:os').constants.signals[signal];
  });
}
