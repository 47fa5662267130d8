/**
 * The inside of an execution environment: runs in a worker thread, loads the bundled handler as it is, and
 * handles one request at a time.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FunctionModel } from '../template/resources.ts';
import { failure, type Invocation, type Report, type Request } from './invocation.ts';

type Handler = (event: unknown, context: object) => unknown;

const start = workerData as FunctionModel;

async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = start.handler.split(/\.(?=[^.]+$)/);
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(start.codeDirectory, file + extension))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Cannot find module '${file}' in ${start.codeDirectory}`);
  const exported: Record<string, unknown> = path.endsWith('.mjs')
    ? await import(pathToFileURL(path).href)
    : createRequire(path)(path);
  const handler = exported[name];
  if (typeof handler !== 'function') throw new Error(`${start.handler} is undefined or not exported`);
  return handler as Handler;
}

async function run(handler: Handler, { requestId, event, deadline }: Request): Promise<Invocation> {
  const context = {
    awsRequestId: requestId,
    functionName: start.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: start.arn,
    memoryLimitInMB: String(start.memoryMegabytes),
    logGroupName: `/aws/lambda/${start.name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    return { ok: true, payload: JSON.stringify(await handler(JSON.parse(event), context)) ?? 'null' };
  } catch (error) {
    return failure(error);
  }
}

const report = (about: Report['about'], outcome: Invocation): void =>
  parentPort?.postMessage({ about, outcome } satisfies Report);

try {
  const handler = await loadHandler();
  parentPort?.on('message', async (request: Request) => report('request', await run(handler, request)));
  report('start', { ok: true, payload: 'null' });
} catch (error) {
  report('start', failure(error));
}
