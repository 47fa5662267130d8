/**
 * The inside of an execution environment: runs in a worker thread, loads the bundled handler as it is, and
 * answers one request at a time.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { failure, type Invocation, type Report, type Request, type Start } from './invocation.ts';

type Handler = (event: unknown, context: object) => unknown;

const start = workerData as Start;

function loadHandler(): Handler {
  const [file = '', name = ''] = start.handler.split(/\.(?=[^.]+$)/);
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(start.codeDirectory, file + extension))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Cannot find module '${file}' in ${start.codeDirectory}`);
  const exported = createRequire(path)(path) as Record<string, unknown>;
  const handler = exported[name];
  if (typeof handler !== 'function') throw new Error(`${start.handler} is undefined or not exported`);
  return handler as Handler;
}

async function run(handler: Handler, request: Request): Promise<Invocation> {
  const { requestId, deadline } = request;
  const context = {
    awsRequestId: requestId,
    functionName: start.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: start.functionArn,
    memoryLimitInMB: String(start.memoryMegabytes),
    logGroupName: `/aws/lambda/${start.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const returned = await handler(JSON.parse(request.event), context);
    return { ok: true, payload: JSON.stringify(returned) ?? 'null' };
  } catch (error) {
    return failure(error);
  }
}

function report(said: Report): void {
  parentPort?.postMessage(said);
}

try {
  const handler = loadHandler();
  parentPort?.on('message', async (request: Request) => {
    report({ about: 'request', outcome: await run(handler, request) });
  });
  report({ about: 'start', outcome: { ok: true, payload: 'null' } });
} catch (error) {
  report({ about: 'start', outcome: failure(error) });
}
