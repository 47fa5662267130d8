import { createRequire } from 'node:module';
import { format } from 'node:util';
import type { Cancel } from '../clock.ts';
import type { Random } from '../random.ts';
import type { Sandbox } from './bundles.ts';

export interface SandboxParts {
  readonly environment: Readonly<Record<string, string>>;
  readonly random: Random;
  /** The clock of the instance, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly after: (milliseconds: number, work: () => void) => Cancel;
  readonly write: (line: string) => void;
}

const nodeRequire = createRequire(import.meta.url);
/** Modules without time, chance, files or network. */
const pureModules = ['stream', 'util', 'zlib'];
/** Node's own would bring real time or a network, and no bundle uses one of them so far. */
const unused = {
  ...{ performance: undefined, setInterval: undefined, clearInterval: undefined },
  ...{ setImmediate: undefined, fetch: undefined },
};

/** The globals and modules of one instance: its own clock, chance, environment and output. */
export function createSandbox(parts: SandboxParts): Omit<Sandbox, 'exports' | 'module' | 'simulatedAws'> {
  const { random, now } = parts;
  const { pause, globals } = createTimers(parts);
  const log = (...values: unknown[]): void => parts.write(format(...values));
  const crypto = {
    randomUUID: (): string => random.uuid(),
    getRandomValues: <T extends Uint8Array>(array: T): T => {
      array.set(random.bytes(array.length));
      return array;
    },
  };
  const modules: Readonly<Record<string, unknown>> = {
    crypto: { ...nodeRequire('node:crypto'), ...crypto },
    'timers/promises': { setTimeout: pause, setImmediate: () => pause(0) },
    // The SDK would look for the streams of files.
    fs: {},
    os: { platform: () => 'linux', release: () => '6.1' },
  };
  return {
    ...{ crypto, ...globals, ...unused },
    console: { log, info: log, warn: log, error: log },
    process: {
      versions: process.versions,
      env: { ...parts.environment },
      stdout: { write: (text: string) => parts.write(text.trimEnd()) },
    },
    require(id: string): unknown {
      const name = id.replace(/^node:/, '');
      if (name in modules) return modules[name];
      if (pureModules.includes(name)) return nodeRequire(id);
      throw new Error(`The simulation has no module ${id}; a bundle needs it now: add it to createSandbox.`);
    },
    Math: Object.assign(Object.create(Math), { random: random.number }),
    Date: createDate(now),
  };
}

function createDate(now: () => number): DateConstructor {
  class VirtualDate extends Date {
    constructor(...given: [] | [number]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }
    static override now(): number {
      return now();
    }
  }
  return VirtualDate as DateConstructor;
}

const timeoutReason = new DOMException('The operation timed out.', 'TimeoutError');

function createTimers({ after }: SandboxParts) {
  const setTimer = (work: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
    const cancel = after(milliseconds, () => work(...values));
    return { cancel, ref() {}, unref() {} };
  };
  const clear = (timer?: { cancel?: Cancel }): void => timer?.cancel?.();
  const pause = <T>(milliseconds: number, value?: T): Promise<T | undefined> =>
    new Promise((resolve) => after(milliseconds, () => resolve(value)));
  /** Fires in virtual time; everything else is Node's. */
  const timeout = (milliseconds: number): AbortSignal => {
    const controller = new AbortController();
    after(milliseconds, () => controller.abort(timeoutReason));
    return controller.signal;
  };
  return {
    pause,
    globals: {
      ...{ setTimeout: setTimer, clearTimeout: clear },
      AbortSignal: new Proxy(AbortSignal, {
        get: (target, name) => (name === 'timeout' ? timeout : Reflect.get(target, name)),
      }),
    },
  };
}
