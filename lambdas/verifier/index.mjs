/**
 * Where Lambda starts the verifier: `index.handler` is this file, because there is no `index.js` next to it.
 * Only an ES module can wait while a function starts, when it has a whole processor and, with provisioned
 * concurrency, no caller; and only the CommonJS bundle keeps undici out.
 */
import { createRequire } from 'node:module';

const { handler, prepare } = createRequire(import.meta.url)('./bundle.cjs');
await prepare();

export { handler };
