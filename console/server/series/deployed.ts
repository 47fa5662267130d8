import { basename } from 'node:path/posix';
import * as v from 'valibot';
import { variables } from '../../../lambdas/contract/environment.ts';
import { type Deployed, describeDeployed, ofType } from '../../../operator/aws/deployed-resources.ts';
import { readMetricData } from '../../../operator/aws/metric-data.ts';
import { CommandError } from '../../../operator/operator-error.ts';
import { readLocalView } from '../../../operator/stack/local-mode.ts';
import { outputOf, type Stack } from '../../../operator/stack/stack.ts';
import type { Series } from '../../contract/series.ts';
import type { ConsoleContext, ConsoleRoute } from '../context.ts';
import { createKept } from '../kept.ts';
import type { MeasuredResources, MetricId } from './metrics.ts';
import { createSeries, type Values } from './series.ts';

export function seriesRoute({ stack }: ConsoleContext): ConsoleRoute {
  let readSeries: (() => Promise<Series>) | undefined;
  return {
    method: 'GET',
    path: '/console/api/series',
    async handle(): Promise<Series> {
      const owner = await stack();
      const { localUrl } = owner;
      readSeries ??=
        localUrl === undefined
          ? createDeployedSeries(owner, Date.now)
          : // Local mode has its metrics in its own process.
            () =>
              readLocalView(
                localUrl,
                '/series',
                v.custom<Series>(() => true),
              );
      return readSeries();
    },
  };
}

/** The series of a stack in AWS, from CloudWatch. */
export function createDeployedSeries(stack: Stack, now: () => number): () => Promise<Series> {
  const resources = createKept(
    async () => measuredResourcesOf(await describeDeployed(stack)),
    namesMilliseconds,
  );
  const read = createSeries({
    resources,
    async read(metrics, span) {
      const queries = [...metrics].map(([id, metric]) => ({ id, ...metric }));
      return (await readMetricData(stack, queries, span)) as ReadonlyMap<MetricId, Values>;
    },
    now,
    lateMinutes,
  });
  return createKept(read, keptMilliseconds);
}

/** CloudWatch has the metrics of SQS and Lambda up to two minutes later. */
const lateMinutes = 3;
/** A deployment may replace a function. */
const namesMilliseconds = 10 * 60 * 1_000;
/** CloudWatch bills each metric of each reading; `docs/console.md` states the cost that follows. */
const keptMilliseconds = 30_000;

/** The names that CloudFormation gave to what is measured. */
export function measuredResourcesOf(deployed: Deployed): MeasuredResources {
  const { stack } = deployed;
  const functionOf = (stage: string): string | undefined =>
    ofType(deployed, 'AWS::Lambda::Function').find(({ properties }) => stageOf(properties) === stage)
      ?.physicalId;
  const verifier = functionOf('verifier');
  if (verifier === undefined) {
    throw new CommandError('failed', `${stack.name} has no function of the stage verifier in its template.`);
  }
  return {
    namespace: outputOf(stack, 'MetricsNamespace'),
    eventQueue: basename(outputOf(stack, 'EventQueueUrl')),
    verifier,
    heartbeat: functionOf('heartbeat'),
  };
}

const functionProperties = v.object({
  Environment: v.object({ Variables: v.object({ [variables.serviceName]: v.string() }) }),
});

function stageOf(properties: unknown): string | undefined {
  const read = v.safeParse(functionProperties, properties);
  return read.success ? read.output.Environment.Variables[variables.serviceName] : undefined;
}
