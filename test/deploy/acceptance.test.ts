import { afterAll, beforeAll } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import { bootstrap, deploy } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

let ministack: MiniStack | undefined;
let pipeline: DeployedPipeline;
let impatient: DeployedPipeline;

beforeAll(async () => {
  ministack = await startMiniStack();
  await bootstrap(ministack);
  const deployment = await deploy(ministack);
  pipeline = openPipeline(ministack, deployment);
  // Far more attempts than any other fact needs.
  impatient = openPipeline(ministack, deployment, { attemptsMax: 60 });
  await pipeline.putPrivateKeys();
});
afterAll(async () => {
  pipeline?.close();
  impatient?.close();
  await ministack?.stop();
});

proveAcceptance({
  target: () => pipeline,
  // MiniStack decodes the path, all but %25, before it matches a route. docs/assumptions.md has what AWS may do.
  broken: ['the order id "a/b" is found', 'the order id "a%2Fb" is found'],
  impatientTarget: () => impatient,
});
