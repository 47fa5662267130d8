import type { LaboratoryRun, ScenarioView } from '../../contract/laboratory.ts';
import { useMode } from '../data/address.ts';
import type { ApiError } from '../data/api.ts';
import { href } from '../data/href.ts';
import { Icon } from '../parts/icon.tsx';
import { RunSteps } from './run-steps.tsx';

export interface ScenarioCardProps {
  readonly scenario: ScenarioView;
  /** The latest one. */
  readonly run: LaboratoryRun | undefined;
  readonly error: ApiError | undefined;
  readonly onRun: () => void;
}

export function ScenarioCard({ scenario, run, error, onRun }: ScenarioCardProps) {
  const { name, title, does, expected, guarantee, alarm, refusal } = scenario;
  const mode = useMode();
  const isRunning = run?.ended_at === null;
  const titleId = `scenario-${name}`;
  return (
    <article class="stack scenario" aria-labelledby={titleId}>
      <header class="row spread">
        <h3 id={titleId}>{title}</h3>
        {/* Not `disabled`: the button that was pressed keeps the focus while the run goes on. */}
        <button
          type="button"
          class="button"
          aria-describedby={titleId}
          aria-disabled={refusal !== null}
          onClick={() => refusal === null && onRun()}
        >
          <Icon name="play" size={14} />
          {isRunning ? 'Running' : run === undefined ? 'Run' : 'Run again'}
        </button>
      </header>
      <p>{does}</p>
      <p class="muted">
        <strong>Expected:</strong> {expected}
        {alarm !== null && (
          <>
            {' '}
            The alarm <a href={href.alarm(alarm, mode)}>{alarm}</a> fires.
          </>
        )}
      </p>
      <p class="muted small">{guarantee}</p>
      {refusal !== null && !isRunning && <p class="faint small">{refusal}</p>}
      {error !== undefined && (
        <p class="faint small" role="alert">
          {error.message}
        </p>
      )}
      {run !== undefined && <RunSteps key={run.id} run={run} />}
    </article>
  );
}
