/** Preloaded into a process that is measured: reports the CPU time of its threads to each message. */
import type { Worker } from 'node:worker_threads';

/** In milliseconds. V8 and Node have threads of their own, which are only in `all`. */
export interface Usage {
  readonly all: number;
  readonly main: number;
  /** By the name of the thread, of which there may be several. */
  readonly workers: readonly (readonly [name: string, milliseconds: number])[];
}

const running = new Set<Worker>();
process.on('worker', (worker) => {
  running.add(worker);
  worker.once('exit', () => running.delete(worker));
});

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

process.on('message', async () => {
  const used = [...running].map(
    async (worker) => [worker.threadName ?? '', milliseconds(await worker.cpuUsage())] as const,
  );
  const workers = await Promise.all(used);
  const [all, main] = [milliseconds(process.cpuUsage()), milliseconds(process.threadCpuUsage())];
  process.send?.({ all, main, workers } satisfies Usage);
});
// Or the process would run for as long as the one that measures it.
process.channel?.unref();
