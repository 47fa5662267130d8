import { afterAll, beforeAll } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { recordCalls } from '../doubles/call-recorder.ts';
import { proveGrants } from './recorded-calls.ts';
import { type RunningPipeline, runPipeline } from './running-pipeline.ts';

const recorder = recordCalls();
let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(async () => {
  recorder.stop();
  await pipeline.stop();
});

proveAcceptance({ target: () => pipeline });

// Last, because it checks the calls of all facts above.
proveGrants(recorder, () => pipeline);
