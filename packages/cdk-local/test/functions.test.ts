import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { functionEnvironment } from '../src/functions/function-environment.ts';
import { createFunctions, createLambdaFunction } from '../src/functions/functions.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { FunctionModel } from '../src/template/resources.ts';

const endpoints = {
  dynamodb: 'http://d',
  sqs: 'http://q',
  secretsManager: 'http://s',
  eventBridge: 'http://e',
};

const workerModel = (changes: Partial<FunctionModel> = {}): FunctionModel => ({
  name: 'Worker',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
  codeDirectory: join(import.meta.dirname, 'fixtures'),
  handler: 'index.handler',
  timeoutSeconds: 5,
  memoryMegabytes: 256,
  environment: { OWN: 'value' },
  ...changes,
});

function createFunction(changes: Partial<FunctionModel> = {}) {
  const lines: string[] = [];
  const model = workerModel(changes);
  const environment = functionEnvironment(model, endpoints);
  const settings = { model, environment, onLine: (line: string) => lines.push(line) };
  const one = createLambdaFunction(settings);
  onTestFinished(one.stop);
  const returned = async (event: object): Promise<Record<string, unknown>> => {
    const invocation = await one.invoke(event);
    if (!invocation.ok) throw new Error(invocation.errorMessage);
    return JSON.parse(invocation.payload);
  };
  return { ...one, lines, returned };
}

const nothing: Invocation = { ok: true, payload: 'null' };

describe('a function', () => {
  it('keeps its memory between invocations, in its own thread', async () => {
    const { warm, returned } = createFunction();
    expect(await warm()).toEqual(nothing);
    const first = await returned({ do: 'count' });
    expect(first).toMatchObject({ invocations: 1 });
    expect(await returned({ do: 'count' })).toEqual({ invocations: 2, threadId: first['threadId'] });
    expect(first['threadId']).not.toBe(0);
  });

  it('runs three invocations at a time, each in an environment of its own', async () => {
    const { returned } = createFunction({ timeoutSeconds: 60 });
    // The first three wait for each other, and so do the others.
    const [first, second] = [randomUUID(), randomUUID()];
    const places = [first, first, first, second, second, second];
    const met = await Promise.all(places.map((place) => returned({ do: 'meet', place, threads: 3 })));
    expect(new Set(met.map(({ threadId }) => threadId)).size).toBe(3);
  });

  it('sees its own variables, endpoints and dummy credentials, and nothing of this process', async () => {
    process.env['SECRET_OF_THIS_PROCESS'] = 'x';
    const seen = await createFunction().returned({ do: 'environment' });
    delete process.env['SECRET_OF_THIS_PROCESS'];
    expect(seen).toMatchObject({
      OWN: 'value',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Worker',
      AWS_ACCESS_KEY_ID: 'Worker',
      AWS_ENDPOINT_URL_SQS: 'http://q',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://d',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://s',
      AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://e',
    });
    expect(seen).not.toHaveProperty('SECRET_OF_THIS_PROCESS');
    expect(seen).not.toHaveProperty('HOME');
  });

  it('passes on what it writes line by line, even lines with a line separator inside', async () => {
    const { invoke, lines } = createFunction();
    await invoke({ do: 'write', text: 'first\nsec' });
    await invoke({ do: 'write', text: 'ond \u2028 same line\n' });
    expect(lines).toEqual(['first', 'second \u2028 same line']);
  });

  it('passes on what it writes even while it never yields, and its last line once it has ended', async () => {
    const { invoke, lines, stop } = createFunction({ timeoutSeconds: 60 });
    const running = invoke({ do: 'writeAndSpin', text: 'the last words\nwithout an end' });
    await expect.poll(() => lines).toEqual(['the last words']);
    await stop();
    await running;
    expect(lines).toContain('without an end');
  });

  it.each([
    ['fail', 'RangeError', 'out of range'],
    ['crash', 'TypeError', 'uncaught'],
    ['exit', 'Runtime.ExitError', 'The runtime exited with code 3'],
  ])('serves the next invocation after a handler does "%s"', async (doing, errorType, errorMessage) => {
    const { invoke, lines } = createFunction();
    expect(await invoke({ do: doing })).toEqual({ ok: false, errorType, errorMessage });
    expect(lines).toContain(`Invoke Error ${errorType}: ${errorMessage}`);
    expect(await invoke({ do: 'nothing' })).toEqual(nothing);
  });

  it.each(['spin', 'writeForever'])('ends a handler that does "%s" at its timeout', async (doing) => {
    const { invoke } = createFunction({ timeoutSeconds: 0.2 });
    const timedOut = /^RequestId: [0-9a-f-]{36} Error: Task timed out after 0.20 seconds$/;
    expect(await invoke({ do: doing })).toEqual({
      ...{ ok: false, errorType: 'Sandbox.Timedout', errorMessage: expect.stringMatching(timedOut) },
    });
    expect(await invoke({ do: 'nothing' })).toEqual(nothing);
  });

  it.each([
    ['index.missing', 'index.missing is undefined or not exported'],
    ['absent.handler', "Cannot find module 'absent'"],
  ])('fails to start and to be invoked when %s cannot be loaded', async (handler, message) => {
    const { warm, invoke } = createFunction({ handler });
    const failure = { ok: false, errorType: 'Error', errorMessage: expect.stringContaining(message) };
    expect(await warm()).toEqual(failure);
    expect(await invoke({})).toEqual(failure);
  });

  it('fails the invocations that run or wait when it is stopped', async () => {
    const { warm, invoke, stop } = createFunction();
    await warm();
    const running = Array.from({ length: 5 }, () => invoke({ do: 'hold', milliseconds: 10_000 }));
    await stop();
    for (const outcome of await Promise.all(running))
      expect(outcome).toMatchObject({ ok: false, errorType: 'Runtime.ExitError' });
  });
});

describe('the functions of a stack', () => {
  it('do not start when a handler cannot be loaded, and the error names the function', async () => {
    const broken = workerModel({ name: 'Broken', handler: 'index.missing' });
    const functions = createFunctions([workerModel(), broken], endpoints, () => {});
    onTestFinished(functions.stop);
    await expect(functions.warm(new Set(['Worker', 'Broken']))).rejects.toThrow(
      'Broken does not start: Error: index.missing is undefined or not exported',
    );
    await expect(functions.invoke('Other', {})).rejects.toThrow('There is no function Other.');
  });
});
