import type { Pipeline } from '../pipeline/pipeline.ts';
import { type BenchParts, createBench } from './bench.ts';
import { brokenDatabase } from './broken-database.ts';
import { burst } from './burst.ts';
import { keyRotation } from './key-rotation.ts';
import { createLaboratory, type Laboratory } from './laboratory.ts';
import { moneyExperiments } from './money.ts';
import { stoppedConsumer } from './stopped-consumer.ts';
import { wrongInputExperiments } from './wrong-input.ts';

export const experiments = [
  ...moneyExperiments,
  ...wrongInputExperiments,
  burst,
  brokenDatabase,
  stoppedConsumer,
  keyRotation,
];

/** The laboratory of a running local mode. Its keys stay on this side of the console. */
export function openLaboratory(pipeline: Pipeline, liveLog: BenchParts['liveLog']): Laboratory {
  // A rotation changes them.
  const keys = { ...pipeline.keys };
  return createLaboratory(experiments, (run) => createBench({ pipeline, liveLog, keys }, run));
}
