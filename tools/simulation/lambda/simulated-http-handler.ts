import { HttpResponse } from '@smithy/core/transport';
import type { SimulatedAws, SimulatedRequest } from './instance.ts';

/**
 * Takes the place of the SDK's HTTP handler in the bundles of a simulation: a request goes to the simulated
 * AWS of the sandbox that the bundle runs in, and its timers are those of the sandbox.
 */
declare const simulatedAws: SimulatedAws;

interface HandlerOptions {
  readonly requestTimeout?: number;
}

interface HandleOptions {
  readonly abortSignal?: AbortSignal;
}

export class NodeHttpHandler {
  readonly #requestTimeout: number | undefined;

  constructor({ requestTimeout }: HandlerOptions = {}) {
    this.#requestTimeout = requestTimeout;
  }

  async handle(request: SimulatedRequest, { abortSignal }: HandleOptions = {}) {
    const requestTimeout = this.#requestTimeout;
    if (abortSignal?.aborted) throw namedError('AbortError', 'Request aborted');
    const { promise, resolve, reject } = Promise.withResolvers<{ response: HttpResponse }>();
    const onAbort = () => reject(namedError('AbortError', 'Request aborted'));
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    const timer = requestTimeout && setTimeout(() => reject(timedOut(requestTimeout)), requestTimeout);
    simulatedAws(request).then(
      (response) => resolve({ response: new HttpResponse(response) }),
      (error: unknown) => reject(error),
    );
    return promise.finally(() => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', onAbort);
    });
  }
}

const namedError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const timedOut = (milliseconds: number): Error =>
  Object.assign(namedError('TimeoutError', `The request has no response after ${milliseconds} ms.`), {
    code: 'ETIMEDOUT',
  });
