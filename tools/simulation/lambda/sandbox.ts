import { webcrypto } from 'node:crypto';
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

/** The globals and modules of one instance: its own clock, chance, environment and output. */
export function createSandbox(parts: SandboxParts): Omit<Sandbox, 'exports' | 'module' | 'simulatedAws'> {
  const { random, now } = parts;
  const timers = createTimers(parts);
  const console = createConsole(parts.write);
  const process = createProcess(parts);
  const performance = { now, timeOrigin: 0 };
  const randomUUID = (): string => random.uuid();
  const getRandomValues = <T extends Uint8Array>(array: T): T => {
    array.set(random.bytes(array.length));
    return array;
  };
  const crypto = { subtle: webcrypto.subtle, randomUUID, getRandomValues };
  const require = createModules({ console, process, randomUUID, pause: timers.pause, random });
  return {
    ...{ require, process, console, crypto, performance },
    ...timers.globals,
    Math: Object.assign(Object.create(Math), { random: random.number }),
    Date: createDate(now),
    fetch: () => Promise.reject(new TypeError('The simulated instance has no network.')),
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
      ...{ setTimeout: setTimer, clearTimeout: clear, clearInterval: clear },
      setInterval: () => {
        throw new Error('No function of payhooks sets an interval; the simulation has none.');
      },
      setImmediate: (work: () => void) => setTimer(work),
      AbortSignal: new Proxy(AbortSignal, {
        get: (target, name) => (name === 'timeout' ? timeout : Reflect.get(target, name)),
      }),
    },
  };
}

function createConsole(write: (line: string) => void) {
  const log = (...values: unknown[]): void => write(format(...values));
  return { log, info: log, warn: log, error: log, debug: log, trace: log };
}

function createProcess({ environment, now, write }: SandboxParts) {
  const output = { write: (text: string) => write(text.trimEnd()), isTTY: false };
  const hrtime = Object.assign((): [number, number] => [Math.floor(now() / 1_000), 0], {
    bigint: () => BigInt(Math.floor(now())) * 1_000_000n,
  });
  return {
    ...{ env: { ...environment }, stdout: output, stderr: output, hrtime },
    ...{ version: 'v24.0.0', versions: { node: '24.0.0' }, platform: 'linux', arch: 'arm64', argv: [] },
    ...{ cwd: () => '/var/task', nextTick: process.nextTick, release: { name: 'node' } },
    ...{ on() {}, once() {}, off() {}, emitWarning() {} },
  };
}

interface ModuleParts {
  readonly console: object;
  readonly process: object;
  readonly randomUUID: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly random: Random;
}

const nodeRequire = createRequire(import.meta.url);
/** Modules without time, chance, files or network. */
const pureModules = [
  'stream',
  'path',
  'zlib',
  'async_hooks',
  'util',
  'buffer',
  'url',
  'events',
  'string_decoder',
];

/** `require` of an instance. The SDK looks for configuration files, and finds none. */
function createModules({ console, process, randomUUID, pause, random }: ModuleParts) {
  const noFile = (): never => {
    throw Object.assign(new Error('There are no files in a simulated instance.'), { code: 'ENOENT' });
  };
  const readFile = async (): Promise<never> => noFile();
  class Console {
    constructor() {
      Object.assign(this, console);
    }
  }
  const modules: Readonly<Record<string, unknown>> = {
    console: { Console },
    process,
    crypto: { ...nodeRequire('node:crypto'), randomUUID, randomBytes: (size: number) => random.bytes(size) },
    'timers/promises': { setTimeout: pause },
    fs: { readFile: noFile, readFileSync: noFile, existsSync: () => false, promises: { readFile } },
    'fs/promises': { readFile },
    os: { homedir: () => '/home', platform: () => 'linux', release: () => '6', EOL: '\n' },
    https: {},
    http: {},
  };
  return function requireModule(id: string): unknown {
    const name = id.replace(/^node:/, '');
    if (name in modules) return modules[name];
    if (pureModules.includes(name)) return nodeRequire(`node:${name}`);
    throw new Error(`The simulation has no module ${id}; a bundle needs it now: add it to createModules.`);
  };
}
