import { ApiError } from '../data/api.ts';
import { Callout } from '../parts/callout.tsx';
import { Skeleton } from '../parts/loaded.tsx';
import type { ActState } from './act-flow.ts';
import type { ActDialogProps } from './act-parts.ts';
import { Sentence } from './sentence.tsx';

interface ActMeaningProps<Preview, Result> {
  readonly state: ActState<Preview, Result>;
  readonly props: ActDialogProps<Preview, Result>;
  readonly retry: () => void;
}

/** What the act means, in a sentence, or why that cannot be shown. */
export function ActMeaning<Preview, Result>({ state, props, retry }: ActMeaningProps<Preview, Result>) {
  if (state.step === 'done') return null;
  if (state.step === 'previewing') return state.waits ? <Waits text={state.waits} /> : <Skeleton lines={3} />;
  if (state.step === 'blocked')
    return <Blocked error={state.error} permission={props.permission} retry={retry} />;
  const { preview } = state;
  return (
    <>
      {state.step === 'ready' && state.isNew && (
        <Callout tone="attention" title="Something else changed meanwhile">
          <p>Nothing was done yet. Read again what it would change now.</p>
        </Callout>
      )}
      {state.step === 'uncertain' && (
        <Callout tone="bad" title="No response: the act may have been done">
          <p>{messageOf(state.error)} Repeat it: a repetition changes nothing more.</p>
        </Callout>
      )}
      <p class="dialog-consequence">
        <Sentence text={props.unneeded(preview) ?? props.consequence(preview)} />
      </p>
      {state.step === 'acting' && state.waits && <Waits text={state.waits} />}
    </>
  );
}

const Waits = ({ text }: { readonly text: string }) => (
  <p class="muted">
    <Sentence text={`${text} It goes on by itself.`} />
  </p>
);

interface BlockedProps {
  readonly error: unknown;
  readonly permission: string;
  readonly retry: () => void;
}

function Blocked({ error, permission, retry }: BlockedProps) {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 403) {
    return (
      <Callout tone="attention" title="Not allowed">
        <p>
          <Sentence text={messageOf(error)} />
        </p>
        <p>It needs {permission}.</p>
      </Callout>
    );
  }
  const isRefused = status >= 400 && status < 500;
  return (
    <Callout
      tone={isRefused ? 'attention' : 'bad'}
      title={isRefused ? 'Not possible' : 'The dry run failed'}
      actions={
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      }
    >
      <p>
        <Sentence text={messageOf(error)} />
      </p>
    </Callout>
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
