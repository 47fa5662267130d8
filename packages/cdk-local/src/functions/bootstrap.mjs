/**
 * The inside of an execution environment: runs in a worker thread, loads the bundled handler as it is, and
 * handles one request at a time. It is JavaScript without imports of ours, because a thread that loads
 * TypeScript first loads a compiler.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @import { Invocation, Report, Request, ThreadData } from './invocation.ts'; */

/** @type {ThreadData} */
const { model: start, unread } = workerData;

/** A pipe of Linux holds as much. */
const unreadCharactersMax = 64 * 1024;

/** @returns {Promise<(event: unknown, context: object) => unknown>} */
async function loadHandler() {
  const [file = '', name = ''] = start.handler.split(/\.(?=[^.]+$)/);
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(start.codeDirectory, file + extension))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Cannot find module '${file}' in ${start.codeDirectory}`);
  const exported = path.endsWith('.mjs') ? await import(pathToFileURL(path).href) : createRequire(path)(path);
  const handler = exported[name];
  if (typeof handler !== 'function') throw new Error(`${start.handler} is undefined or not exported`);
  return handler;
}

/**
 * @param {(event: unknown, context: object) => unknown} handler
 * @param {Request} request
 * @returns {Promise<Invocation>}
 */
async function run(handler, { requestId, event, deadline }) {
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

/**
 * An error in the form that the Lambda runtime reports; a handler may throw anything.
 *
 * @param {unknown} thrown
 * @returns {Invocation}
 */
function failure(thrown) {
  if (thrown instanceof Error) return { ok: false, errorType: thrown.name, errorMessage: thrown.message };
  return { ok: false, errorType: typeof thrown, errorMessage: String(thrown) };
}

/** @param {Report} message */
const report = (message) => parentPort?.postMessage(message);

/**
 * Sends each write as one message, before the outcome of its invocation. Node's own streams between threads
 * take two messages, one of them back, and a stream on the other side. Like a pipe, it stops the thread while
 * much is unread: a handler that prints in a loop would fill the memory of the process.
 *
 * @param {'stdout' | 'stderr'} stream
 */
function sendOutput(stream) {
  const decoder = new StringDecoder();
  process[stream]._writev = (chunks, done) => {
    const text = chunks.map(({ chunk, encoding }) => decoder.write(Buffer.from(chunk, encoding))).join('');
    for (let count = Atomics.load(unread, 0); count >= unreadCharactersMax; count = Atomics.load(unread, 0))
      Atomics.wait(unread, 0, count);
    Atomics.add(unread, 0, text.length);
    report({ about: 'output', stream, text });
    done();
  };
}

sendOutput('stdout');
sendOutput('stderr');
try {
  const handler = await loadHandler();
  parentPort?.on('message', async (request) =>
    report({ about: 'outcome', outcome: await run(handler, request) }),
  );
  report({ about: 'outcome', outcome: { ok: true, payload: 'null' } });
} catch (error) {
  report({ about: 'outcome', outcome: failure(error) });
}
