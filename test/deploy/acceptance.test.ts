import { afterAll, beforeAll } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import { bootstrap, deploy } from './deployment.ts';
import { brokenFacts } from './known-differences.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

let ministack: MiniStack | undefined;
let pipeline: DeployedPipeline;
let impatient: DeployedPipeline;
/** Many times as long as any other fact has to wait. */
const attemptsInVain = 60;

beforeAll(async () => {
  ministack = await startMiniStack();
  await bootstrap(ministack);
  const deployment = await deploy(ministack);
  pipeline = openPipeline(ministack, deployment);
  impatient = openPipeline(ministack, deployment, { attemptsMax: attemptsInVain });
  await pipeline.putPrivateKeys();
});
afterAll(async () => {
  pipeline?.close();
  impatient?.close();
  await ministack?.stop();
});

proveAcceptance({
  target: () => pipeline,
  broken: brokenFacts.map(({ fact }) => fact),
  impatientTarget: () => impatient,
});
