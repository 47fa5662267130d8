import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { functionEnvironment } from '../src/functions/function-environment.ts';
import { createFunctions } from '../src/functions/functions.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import { createLambdaFunction, type LambdaFunction } from '../src/functions/lambda-function.ts';
import type { FunctionModel } from '../src/template/model.ts';

const endpoints = {
  dynamodb: 'http://d',
  sqs: 'http://q',
  secretsManager: 'http://s',
  eventBridge: 'http://e',
};

const started: LambdaFunction[] = [];
const lines: string[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
  lines.length = 0;
});

function createFunction(changes: Partial<FunctionModel> = {}): LambdaFunction {
  const model = {
    name: 'Worker',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
    codeDirectory: join(import.meta.dirname, 'fixtures'),
    handler: 'index.handler',
    timeoutSeconds: 5,
    memoryMegabytes: 256,
    environment: { OWN: 'value' },
    ...changes,
  };
  const environment = functionEnvironment(model, endpoints);
  const one = createLambdaFunction({ model, environment, onLine: (line) => lines.push(line) });
  started.push(one);
  return one;
}

function returned(invocation: Invocation): Record<string, unknown> {
  if (!invocation.ok) throw new Error(invocation.errorMessage);
  return JSON.parse(invocation.payload);
}

describe('a function', () => {
  it('keeps its memory between invocations, in a thread of its own', async () => {
    const one = createFunction();
    expect(await one.warm()).toEqual({ ok: true, payload: 'null' });
    const first = returned(await one.invoke({ do: 'count' }));
    const second = returned(await one.invoke({ do: 'count' }));
    expect(first).toMatchObject({ invocations: 1 });
    expect(second).toEqual({ invocations: 2, threadId: first['threadId'] });
    expect(first['threadId']).not.toBe(0);
  });

  it('serves one invocation at a time per environment, in three environments at most', async () => {
    const one = createFunction();
    const since = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => one.invoke({ do: 'hold', milliseconds: 150 })),
    );
    const threads = new Set(answers.map((answer) => returned(answer)['threadId']));
    expect(threads.size).toBe(3);
    expect(performance.now() - since).toBeGreaterThan(290);
  });

  it('sees its own variables, its endpoints and dummy credentials, and nothing of this process', async () => {
    process.env['SECRET_OF_THIS_PROCESS'] = 'x';
    const seen = returned(await createFunction().invoke({ do: 'environment' }));
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

  it('is told who it is and how much time it has left', async () => {
    const context = returned(await createFunction().invoke({ do: 'context' }));
    expect(context).toMatchObject({
      functionName: 'Worker',
      memory: '256',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
    });
    expect(context['remaining']).toBeGreaterThan(4000);
    expect(context['remaining']).toBeLessThanOrEqual(5000);
  });

  it('returns null when it returns nothing', async () => {
    expect(await createFunction().invoke({ do: 'nothing' })).toEqual({ ok: true, payload: 'null' });
  });

  it('hands over what it writes line by line, also lines with a line separator inside', async () => {
    const one = createFunction();
    await one.invoke({ do: 'write', text: 'first\nsec' });
    await one.invoke({ do: 'write', text: 'ond \u2028 same line\n' });
    await expect.poll(() => lines).toEqual(['first', 'second \u2028 same line']);
  });
});

describe('the functions of a stack', () => {
  const lines: string[] = [];
  const model = (name: string, handler: string): FunctionModel => ({
    name,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    codeDirectory: join(import.meta.dirname, 'fixtures'),
    handler,
    timeoutSeconds: 5,
    memoryMegabytes: 128,
    environment: {},
  });

  it('refuse to start when a handler cannot be loaded, and name the function', async () => {
    const functions = createFunctions(
      [model('Good', 'index.handler'), model('Broken', 'index.missing')],
      endpoints,
      () => {},
    );
    await expect(functions.warm()).rejects.toThrow(
      'Broken does not start: Error: index.missing is undefined or not exported',
    );
    await functions.stop();
  });

  it('pass on each line with the model of its function', async () => {
    const functions = createFunctions([model('Good', 'index.handler')], endpoints, ({ name }, line) => {
      lines.push(`${name}: ${line}`);
    });
    await functions.invoke('Good', { do: 'write', text: 'hello\n' });
    await expect.poll(() => lines).toEqual(['Good: hello']);
    await functions.stop();
  });
});

describe('an invocation fails', () => {
  it.each([
    ['fail', 'RangeError', 'out of range'],
    ['failWithText', 'string', 'just a text'],
    ['crash', 'TypeError', 'nobody caught this'],
    ['exit', 'Runtime.ExitError', 'The runtime exited with code 3'],
  ])('when the handler does "%s", and the next one is served', async (doing, errorType, errorMessage) => {
    const one = createFunction();
    expect(await one.invoke({ do: doing })).toEqual({ ok: false, errorType, errorMessage });
    expect(lines).toContain(`Invoke Error ${errorType}: ${errorMessage}`);
    expect(await one.invoke({ do: 'nothing' })).toEqual({ ok: true, payload: 'null' });
  });

  it('when its time is up, even when the handler never yields', async () => {
    const one = createFunction({ timeoutSeconds: 0.2 });
    expect(await one.invoke({ do: 'spin' })).toMatchObject({
      ok: false,
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(
        /^RequestId: [0-9a-f-]{36} Error: Task timed out after 0.20 seconds$/,
      ),
    });
    expect(await one.invoke({ do: 'nothing' })).toEqual({ ok: true, payload: 'null' });
  });

  it.each([
    ['index.missing', 'index.missing is undefined or not exported'],
    ['index.notAFunction', 'index.notAFunction is undefined or not exported'],
    ['absent.handler', "Cannot find module 'absent'"],
  ])('when the handler %s cannot be loaded', async (handler, message) => {
    const one = createFunction({ handler });
    const failure = { ok: false, errorType: 'Error', errorMessage: expect.stringContaining(message) };
    expect(await one.warm()).toEqual(failure);
    expect(await one.invoke({})).toEqual(failure);
  });

  it('when the function is stopped under it, and for those that wait', async () => {
    const one = createFunction();
    await one.warm();
    const running = Array.from({ length: 5 }, () => one.invoke({ do: 'hold', milliseconds: 10_000 }));
    await one.stop();
    for (const outcome of await Promise.all(running)) {
      expect(outcome).toMatchObject({ ok: false, errorType: 'Runtime.ExitError' });
    }
  });
});
