import { afterAll, beforeAll, describe } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { recordCalls } from '../doubles/call-recorder.ts';
import { type RunningPipeline, runPipeline } from './pipeline/running-pipeline.ts';
import { proveGrants } from './recorded-calls.ts';

const recorder = recordCalls();
let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(async () => {
  recorder.stop();
  await pipeline.stop();
});

// The second part checks the calls of the first, whose facts hold in any order.
describe('local mode', { shuffle: false }, () => {
  describe('a pipeline', { shuffle: true }, () => proveAcceptance({ target: () => pipeline }));
  proveGrants(recorder, () => pipeline);
});
