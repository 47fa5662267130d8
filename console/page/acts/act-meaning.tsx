import { ApiError } from '../data/api.ts';
import { Callout } from '../parts/callout.tsx';
import { Skeleton } from '../parts/loaded.tsx';
import { Sentence } from '../parts/values.tsx';
import { type ActState, messageOf } from './use-act.ts';

interface ActMeaningProps {
  readonly state: ActState;
  readonly retry: () => void;
}

/** What the act means or did, in a sentence, or why that cannot be shown. */
export function ActMeaning({ state, retry }: ActMeaningProps) {
  const waits = state.waits !== undefined && (
    <p class="muted">
      <Sentence text={`${state.waits} It goes on by itself.`} />
    </p>
  );
  if (state.step === 'planning') return waits || <Skeleton lines={3} />;
  if (state.step === 'done')
    return <Callout tone="good" title={<Sentence text={state.outcome.sentence} />} />;
  if (state.step === 'blocked') return <Blocked error={state.error} retry={retry} />;
  return (
    <>
      {state.step === 'ready' && state.news !== undefined && (
        <Callout tone="attention" title="Something else changed meanwhile">
          <p>
            {state.news === 'of_first'
              ? 'Nothing was done yet. '
              : 'The first request may have done a part of it; its repetition did nothing. '}
            Read again what it would change now.
          </p>
        </Callout>
      )}
      {state.step === 'uncertain' && (
        <Callout tone="bad" title={uncertainTitle(state.error)}>
          <p>{messageOf(state.error)} Repeat it: a repetition changes nothing more.</p>
        </Callout>
      )}
      <p class="clip">
        <Sentence text={state.plan.sentence} />
      </p>
      {waits}
    </>
  );
}

const uncertainTitle = (error: unknown): string =>
  error instanceof ApiError && error.status > 0
    ? 'An error: the act may have been done'
    : 'No response: the act may have been done';

function Blocked({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const status = error instanceof ApiError ? error.status : 0;
  const isRefused = status >= 400 && status < 500;
  const title = isRefused ? 'Not possible' : 'The dry run failed';
  const actions = (
    <button type="button" class="button" onClick={retry}>
      Try again
    </button>
  );
  return (
    <Callout
      tone={isRefused ? 'attention' : 'bad'}
      title={status === 403 ? 'Not allowed' : title}
      actions={status === 403 ? undefined : actions}
    >
      <p>
        <Sentence text={messageOf(error)} />
      </p>
    </Callout>
  );
}
