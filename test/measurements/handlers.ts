import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Endpoints, FunctionModel } from '@payhooks/cdk-local';
import { functionEnvironment } from '@payhooks/cdk-local';
import { variables } from '../../lambdas/contract/environment.ts';

type Handler = (event: unknown, context: object) => Promise<unknown>;

export interface Handlers {
  /** Runs the function of a stage; `lines` are what it wrote, without their ends. */
  run(
    stage: string,
    event: unknown,
  ): Promise<{ readonly answer: unknown; readonly lines: readonly string[] }>;
  /** Leaves the environment of this process as it was. */
  restore(): void;
}

/** As Lambda sets it for each invocation; Powertools prints the root in every line. */
const traceId = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047;Sampled=0;Lineage=1:2:0';

/**
 * The bundled functions of a template, loaded into this process, where what they write can be taken without a
 * wait: a thread's output comes when it likes.
 */
export function loadHandlers(models: readonly FunctionModel[], endpoints: Endpoints): Handlers {
  const before = { ...process.env };
  const require = createRequire(import.meta.url);
  const loaded = new Map<string, Handler>();
  for (const model of models) {
    Object.assign(process.env, functionEnvironment(model, endpoints), { _X_AMZN_TRACE_ID: traceId });
    const { handler } = require(join(model.codeDirectory, 'index.js')) as { handler: Handler };
    loaded.set(model.environment[variables.serviceName] ?? model.name, handler);
  }
  return {
    async run(stage, event) {
      const handler = loaded.get(stage);
      if (handler === undefined) throw new Error(`The template has no function of the stage ${stage}.`);
      const written = captureOutput();
      try {
        // A handler never shares an object with whoever invokes it.
        const answer = await handler(JSON.parse(JSON.stringify(event)), {});
        return { answer, lines: written.stop() };
      } finally {
        written.stop();
      }
    },
    restore() {
      for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
      Object.assign(process.env, before);
    },
  };
}

/** Takes what is written to standard output and error until it is stopped. */
function captureOutput(): { stop(): readonly string[] } {
  const streams = [process.stdout, process.stderr];
  const originals = streams.map((stream) => stream.write);
  let text = '';
  for (const stream of streams) {
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    }) as typeof stream.write;
  }
  return {
    stop() {
      streams.forEach((stream, index) => {
        const original = originals[index];
        if (original !== undefined) stream.write = original;
      });
      return text.split('\n').filter((line) => line !== '');
    },
  };
}
