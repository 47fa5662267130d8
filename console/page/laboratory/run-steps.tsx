import type { LaboratoryLink, LaboratoryRun, LaboratoryStep } from '../../contract/laboratory.ts';
import { href } from '../data/href.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { Pill } from '../parts/pills.tsx';
import { Duration } from '../parts/values.tsx';

const looks: Readonly<Record<LaboratoryStep['kind'], readonly [icon: IconName, word: string]>> = {
  sent: ['send', 'Sent'],
  recorded: ['check', 'Recorded'],
  fault: ['alert', 'Fault'],
  seen: ['eye', 'Seen'],
};

/** A run: its steps as they come, and how it ended. */
export function RunSteps({ run }: { readonly run: LaboratoryRun }) {
  return (
    <div class="stack" data-run={run.id}>
      <ol class="stack tight small">
        {run.steps.map((step, index) => {
          const [icon, word] = looks[step.kind];
          const seconds = (Date.parse(step.at) - Date.parse(run.started_at)) / 1_000;
          return (
            <li key={index} class="row">
              <Icon name={icon} size={14} />
              <span class="item">
                <strong>{word}</strong> <StepText step={step} />
              </span>
              <span class="faint">{`+${seconds.toFixed(1)} s`}</span>
            </li>
          );
        })}
      </ol>
      <p role="status">
        <End run={run} />
      </p>
    </div>
  );
}

function StepText({ step: { text, link } }: { readonly step: LaboratoryStep }) {
  if (link === null) return text;
  const words = link.page === 'waiting' ? 'Open what waits' : `Open the ${link.page}`;
  return (
    <>
      {text} <a href={addressOf(link)}>{words}</a>
    </>
  );
}

function addressOf({ page, id, mode }: LaboratoryLink): string {
  return page === 'waiting' ? href.waiting(mode) : href[page](id, mode);
}

function End({
  run: { ended_at, started_at, as_expected, seen, expected },
}: {
  readonly run: LaboratoryRun;
}) {
  if (ended_at === null) return <Pill tone="neutral" icon="clock" text="Running" />;
  return as_expected ? (
    <>
      <Pill tone="good" icon="check" text="As expected" /> after{' '}
      <Duration milliseconds={Date.parse(ended_at) - Date.parse(started_at)} />
    </>
  ) : (
    <>
      <Pill tone="bad" icon="cross" text="Not as expected" /> {seen} Expected: {expected}
    </>
  );
}
