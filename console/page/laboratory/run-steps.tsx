import type {
  LaboratoryLink,
  LaboratoryProgress,
  LaboratoryRun,
  LaboratoryStep,
} from '../../contract/laboratory.ts';
import { href } from '../data/href.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { Pill } from '../parts/pills.tsx';
import { Duration, Id } from '../parts/values.tsx';
import { aroundId, timeIn } from './sentences.ts';

const stepIcons: Readonly<Record<LaboratoryStep['kind'], IconName>> = {
  sent: 'send',
  recorded: 'check',
  fault: 'alert',
  seen: 'eye',
};

const stepWords: Readonly<Record<LaboratoryStep['kind'], string>> = {
  sent: 'Sent',
  recorded: 'Recorded',
  fault: 'Fault',
  seen: 'Seen',
};

const linkWords: Readonly<Record<LaboratoryLink['page'], string>> = {
  order: 'Open the order',
  event: 'Open the event',
  waiting: 'Open what waits',
};

/** A run: its steps as they come, and how it ended. */
export function RunSteps({ run }: { readonly run: LaboratoryRun }) {
  return (
    <div class="run" data-run={run.id}>
      <ol class="run-steps">
        {run.steps.map((step, index) => (
          <li key={index} class={`run-step step-${step.kind}`}>
            <Icon name={stepIcons[step.kind]} size={14} />
            <span class="run-step-text">
              <span class="run-step-kind">{stepWords[step.kind]}</span> <StepText step={step} />
            </span>
            <span class="run-step-time">{timeIn(run, step)}</span>
          </li>
        ))}
      </ol>
      {run.progress !== null && <Progress progress={run.progress} />}
      <p class="run-end" role="status">
        <End run={run} />
      </p>
    </div>
  );
}

function StepText({ step }: { readonly step: LaboratoryStep }) {
  const { text, link } = step;
  if (link === null) return <>{text}</>;
  const address = addressOf(link);
  const around = aroundId(step);
  if (around === undefined) {
    return (
      <>
        {text} <a href={address}>{linkWords[link.page]}</a>
      </>
    );
  }
  return (
    <>
      {around[0]}
      <Id value={link.id} href={address} />
      {around[1]}
    </>
  );
}

function addressOf({ page, id, mode }: LaboratoryLink): string {
  return page === 'waiting' ? href.waiting(mode) : href[page](id, mode);
}

function Progress({ progress }: { readonly progress: LaboratoryProgress }) {
  const { total } = progress;
  return (
    <dl class="run-progress">
      {(['sent', 'acknowledged', 'recorded'] as const).map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <progress value={progress[name]} max={total} aria-label={`${name} of ${total}`} />
            {progress[name]} of {total}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function End({ run }: { readonly run: LaboratoryRun }) {
  if (run.ended_at === null) return <Pill tone="neutral" icon="clock" text="Running" />;
  const milliseconds = Date.parse(run.ended_at) - Date.parse(run.started_at);
  if (run.as_expected) {
    return (
      <>
        <Pill tone="good" icon="check" text="As expected" /> after <Duration milliseconds={milliseconds} />
      </>
    );
  }
  return (
    <>
      <Pill tone="bad" icon="cross" text="Not as expected" /> {run.seen} Expected: {run.expected}
    </>
  );
}
