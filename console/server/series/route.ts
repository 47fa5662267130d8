import { CommandError } from '../../../cli/command-error.ts';
import { localProbeMilliseconds } from '../../../cli/limits.ts';
import type { Stack } from '../../../cli/target/stack.ts';
import type { Series } from '../../contract/series.ts';
import type { ConsoleContext, ConsoleRoute } from '../context.ts';
import { createDeployedSeries } from './deployed.ts';

export function seriesRoute({ stack }: ConsoleContext): ConsoleRoute {
  let readSeries: (() => Promise<Series>) | undefined;
  return {
    method: 'GET',
    path: '/console/api/series',
    async handle(): Promise<Series> {
      readSeries ??= createReader(await stack());
      return readSeries();
    },
  };
}

function createReader(stack: Stack): () => Promise<Series> {
  const { localUrl } = stack;
  return localUrl === undefined ? createDeployedSeries(stack, Date.now) : () => readLocal(localUrl);
}

/** Local mode has its metrics in its own process. */
async function readLocal(localUrl: string): Promise<Series> {
  const response = await fetch(new URL('/series', localUrl), {
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  if (response.ok) return (await response.json()) as Series;
  throw new CommandError('failed', `GET ${localUrl}/series has status ${response.status}, not the series.`);
}
