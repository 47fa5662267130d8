import type { DeployedPipeline } from './deployed-pipeline.ts';
import type { Deployment } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** The one deployment that the parts of `deployment.test.ts` prove, one after the other. */
export interface Target {
  readonly ministack: MiniStack;
  readonly pipeline: DeployedPipeline;
  readonly outputs: Deployment['outputs'];
}
