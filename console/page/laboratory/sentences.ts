import type {
  ExperimentGroup,
  LaboratoryFault,
  LaboratoryRun,
  LaboratoryStep,
  LaboratoryView,
} from '../../contract/laboratory.ts';

export const groupWords: Readonly<Record<ExperimentGroup, string>> = {
  money: 'Money',
  'wrong input': 'Wrong input',
  faults: 'Load and faults',
};

/** What the laboratory does now, or how the latest run ended. */
export function leadOf({ runs }: LaboratoryView): string {
  const running = runs.filter(({ ended_at }) => ended_at === null);
  const [first] = running;
  const [latest] = runs;
  if (first !== undefined) {
    return running.length === 1
      ? `"${first.title}" is running.`
      : `${running.length} experiments are running.`;
  }
  if (latest === undefined)
    return 'Send events, break things, and watch where they end. Nothing has run yet.';
  return `"${latest.title}" ended ${latest.as_expected ? 'as expected' : 'not as expected'}.`;
}

/** Such as `It ends by itself in 6 s.` */
export function endOf({ ends_at }: LaboratoryFault, now: number): string {
  const seconds = Math.ceil((Date.parse(ends_at) - now) / 1_000);
  return seconds > 0 ? `It ends by itself, in ${seconds} s at the latest.` : 'It is ending.';
}

/** Since the start of the run, such as `+1.2 s`. */
export function timeIn({ started_at }: LaboratoryRun, { at }: LaboratoryStep): string {
  return `+${((Date.parse(at) - Date.parse(started_at)) / 1_000).toFixed(1)} s`;
}

/** The text of a step around the id that it links to; `undefined` when the text does not hold the id. */
export function aroundId({ text, link }: LaboratoryStep): readonly [string, string] | undefined {
  const at = link === null || link.id === '' ? -1 : text.indexOf(link.id);
  if (link === null || at < 0) return undefined;
  return [text.slice(0, at), text.slice(at + link.id.length)];
}
