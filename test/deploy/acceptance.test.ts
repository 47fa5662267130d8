import { afterAll, beforeAll } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import { bootstrap, deploy } from './deployment.ts';
import { brokenFacts } from './known-differences.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

let ministack: MiniStack | undefined;
let pipeline: DeployedPipeline;

beforeAll(async () => {
  ministack = await startMiniStack();
  await bootstrap(ministack);
  pipeline = openPipeline(ministack, await deploy(ministack));
  await pipeline.putPrivateKeys();
});
afterAll(async () => {
  pipeline?.close();
  await ministack?.stop();
});

proveAcceptance({ target: () => pipeline, broken: brokenFacts.map(({ fact }) => fact) });
