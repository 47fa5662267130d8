import { afterAll, beforeAll } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { type RunningPipeline, runPipeline } from './running-pipeline.ts';

let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

proveAcceptance({ target: () => pipeline });
