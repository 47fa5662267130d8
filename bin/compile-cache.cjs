// Preloaded by `npm start` and the command line: keeps what Node compiled for the next start. Node compares
// it with each source.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const directory = join(__dirname, '..', 'node_modules', '.cache', 'payhooks-compiled');
enableCompileCache(directory);
// For the CDK app, which `npm start` runs in a process of its own.
process.env.NODE_COMPILE_CACHE = directory;
