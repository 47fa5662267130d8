import { findLocalMode } from '../../operator/stack/local-mode.ts';
import type { Stack } from '../../operator/stack/stack.ts';

/** The stack of the local mode that serves the console at this address; read once. */
export function localStack(baseUrl: () => string): () => Promise<Stack> {
  let found: Stack | undefined;
  return async function readStack() {
    found ??= await findLocalMode(baseUrl());
    return found;
  };
}
