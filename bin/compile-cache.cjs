// Preloaded by `npm start` and the command line: keeps what Node compiled for the next start. Node compares
// it with each source.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'payhooks-compiled'));
