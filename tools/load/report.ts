import { percentilesOf } from './percentiles.ts';
import type { LoadResult } from './run.ts';

/** The tables that are printed. */
export function reportOf(result: LoadResult): string[] {
  const { seconds, drainSeconds, sent, acknowledged, samples, judgement } = result;
  const memory = samples.map(({ memoryBytes }) => memoryBytes);
  const waiting = Math.max(0, ...samples.map((sample) => sample.waiting));
  return [
    ...columns('webhooks', [
      ['sent', `${sent}`, perSecond(sent, seconds)],
      ['acknowledged', `${acknowledged}`, perSecond(acknowledged, seconds)],
      [
        'recorded exactly once',
        `${judgement.recordedOnce}`,
        perSecond(judgement.recordedOnce, seconds + drainSeconds),
      ],
    ]),
    '',
    ...columns('responses', responsesOf(result)),
    '',
    ...columns('latency of acknowledged webhooks', latencyOf(result)),
    '',
    ...columns('local mode', [
      ['time until the queue was empty', `${drainSeconds.toFixed(1)} s`],
      ['most events waiting', `${waiting}`],
      ['memory at the start', megabytes(memory[0])],
      ['memory at most', megabytes(Math.max(0, ...memory))],
      ['memory at the end', megabytes(memory.at(-1))],
    ]),
  ];
}

/** How often each status came, the statuses in ascending order. */
export function responsesOf({ outcomes, sent, errors }: LoadResult): [string, string][] {
  const counts = new Map<number, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const rows = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]): [string, string] => [`${status}`, `${count}`]);
  const cut = sent - outcomes.length - errors;
  return [
    ...rows,
    ['failed or without a response in time', `${errors}`],
    // The generator opens a request more on each connection than it gets a response to.
    ['under way when the load ended', `${Math.max(0, cut)}`],
  ];
}

function latencyOf({ outcomes }: LoadResult): [string, string][] {
  const acknowledged = outcomes.filter(({ status }) => status === 202);
  const percentiles = percentilesOf(acknowledged.map(({ milliseconds }) => milliseconds));
  return Object.entries(percentiles).map(([name, value]) => [name, `${value.toFixed(0)} ms`]);
}

const perSecond = (count: number, seconds: number): string => `${(count / seconds).toFixed(1)}/s`;
const megabytes = (bytes = 0): string => `${(bytes / 1e6).toFixed(0)} MB`;

function columns(title: string, rows: readonly (readonly string[])[]): string[] {
  return [
    `${title}:`,
    ...rows.map(([name = '', ...values]) =>
      `  ${name.padEnd(40)}${values.map((value) => value.padStart(10)).join('')}`.trimEnd(),
    ),
  ];
}
