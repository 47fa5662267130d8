import { findLocalMode } from '../../operator/stack/local-mode.ts';
import { createKept } from './kept.ts';
import { ConsoleProblem } from './problem.ts';

/** The stack of the local mode that serves the console at this address; read once. */
export const localStack = (baseUrl: () => string) =>
  createKept(async () => {
    if (baseUrl() === '') throw new ConsoleProblem(503, 'Local mode is starting, which takes some seconds.');
    return findLocalMode(baseUrl());
  }, Number.POSITIVE_INFINITY);
