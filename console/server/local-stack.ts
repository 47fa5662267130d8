import { findLocalMode } from '../../operator/stack/local-mode.ts';
import { createKept } from './kept.ts';

/** The stack of the local mode that serves the console at this address; read once. */
export const localStack = (baseUrl: () => string) =>
  createKept(() => findLocalMode(baseUrl()), Number.POSITIVE_INFINITY);
