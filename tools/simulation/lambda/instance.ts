import type { Clock } from '../clock.ts';
import type { CodeVersion } from '../history.ts';
import type { Random } from '../random.ts';
import type { LoadBundle, Stage } from './bundles.ts';
import { createSandbox } from './sandbox.ts';

export interface SimulatedRequest {
  readonly hostname: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface SimulatedResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

export type SimulatedAws = (request: SimulatedRequest) => Promise<SimulatedResponse>;

export interface InstanceParts extends Pick<Instance, 'number' | 'stage' | 'version' | 'skewMilliseconds'> {
  readonly load: LoadBundle;
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly aws: (instance: Instance, request: SimulatedRequest) => Promise<SimulatedResponse>;
  /** Receives each line that the instance writes. */
  readonly onLine: (instance: Instance, line: string) => void;
}

/** One execution environment of a function. */
export interface Instance {
  readonly number: number;
  readonly stage: Stage;
  readonly version: CodeVersion;
  /** By how much its clock is ahead of the world's. */
  readonly skewMilliseconds: number;
  readonly isAlive: boolean;
  /** Nothing that the instance has begun goes on: no call resolves, no timer fires, no line is written. */
  kill(): void;
  invoke(event: unknown): Promise<unknown>;
}

const never = new Promise<never>(() => {});

export function createInstance(parts: InstanceParts): Instance {
  const { clock, number, stage, version, skewMilliseconds } = parts;
  let isAlive = true;
  const exports: { handler?: (event: unknown) => Promise<unknown>; prepare?: () => Promise<void> } = {};
  let prepared: Promise<void> | undefined;
  const module = { exports };
  const instance: Instance = {
    ...{ number, stage, version, skewMilliseconds },
    get isAlive() {
      return isAlive;
    },
    kill() {
      isAlive = false;
    },
    async invoke(event) {
      // As JSON: a handler never shares an object with its caller.
      const { handler, prepare } = module.exports;
      if (handler === undefined) throw new Error('The bundle exports no handler.');
      // What a stage's `index.mjs` waits for while Lambda starts it.
      prepared ??= prepare?.();
      await prepared;
      return handler(JSON.parse(JSON.stringify(event)));
    },
  };
  const sandbox = createSandbox({
    environment: parts.environment,
    random: parts.random,
    now: () => clock.now() + skewMilliseconds,
    after: (milliseconds, work) => clock.after(milliseconds, () => isAlive && work()),
    write: (line) => isAlive && parts.onLine(instance, line),
  });
  async function aws(request: SimulatedRequest): Promise<SimulatedResponse> {
    if (!isAlive) return never;
    try {
      const response = await parts.aws(instance, request);
      return isAlive ? response : never;
    } catch (error) {
      if (isAlive) throw error;
      return never;
    }
  }
  parts.load({ ...sandbox, exports, module, simulatedAws: aws });
  return instance;
}
