import type { Bundles } from '../lambda/bundles.ts';
import type { Random } from '../random.ts';
import { type CrashPoint, losses } from './interruptions.ts';
import { mixedRun } from './mixed-run.ts';
import { type Rows, runStep, type StepEnd, type StepRun } from './run.ts';

/** A step of the run without interruptions. */
export interface WholeStep extends Omit<StepRun, 'points'> {
  readonly name: string;
  readonly end: StepEnd;
}

/** The mixed run without interruptions, step by step. */
export async function runWhole(bundles: Bundles): Promise<readonly WholeStep[]> {
  const steps: WholeStep[] = [];
  let before: Rows = { events: [], orders: [] };
  for (const [index, [name, step]] of Object.entries(mixedRun).entries()) {
    const run = { bundles, step, index, before };
    const end = await runStep({ ...run, points: [] });
    steps.push({ ...run, name, end });
    before = end.rows;
  }
  return steps;
}

/**
 * Runs a step with interruptions; returns what is then missing (-) or new (+). If nothing is, the next step
 * begins from the same rows as without them, so that interruptions in several steps need no run of their own.
 */
export async function differencesOf(step: WholeStep, points: readonly CrashPoint[]): Promise<string[]> {
  const { state, reached } = await runStep({ ...step, points });
  const [expected, actual] = [step.end.state.split('\n'), state.split('\n')];
  const first = points[0];
  return [
    ...expected.filter((line) => !actual.includes(line)).map((line) => `- ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
    ...(reached === 0 ? [`call ${first?.call} was never made`] : []),
  ].map(
    (line) => `${step.name}, ${points.map(({ call, loss }) => `call ${call} ${loss}`).join(', ')}: ${line}`,
  );
}

/** Every call of a step, with everything that can happen to it. */
export const singlePoints = ({ end }: WholeStep): CrashPoint[] =>
  Array.from({ length: end.calls }, (_, index) => losses.map((loss) => ({ call: index + 1, loss }))).flat();

/** Two interruptions of one step. */
export function choosePair(
  steps: readonly WholeStep[],
  random: Random,
): { readonly step: WholeStep; readonly points: readonly CrashPoint[] } {
  const several = steps.filter(({ end }) => end.calls > 1);
  const [first, ...others] = several;
  if (first === undefined) throw new Error('No step of the run makes two calls.');
  const step = random.pick([first, ...others]);
  const call = random.integer(1, step.end.calls - 1);
  const later = random.integer(call + 1, step.end.calls);
  return { step, points: [call, later].map((at) => ({ call: at, loss: random.pick(losses) })) };
}
