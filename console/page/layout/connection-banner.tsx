import { useLive } from '../data/live.ts';
import { useStack } from '../data/stack.ts';
import { Callout } from '../parts/callout.tsx';

/** Says why the page is not live, and goes away by itself. */
export function ConnectionBanner() {
  const { connection, retry } = useLive();
  const { data: stack } = useStack();
  if (connection.state !== 'lost') return null;
  const command = stack === undefined ? undefined : startCommand(stack);
  return (
    <div class="connection-banner">
      <Callout
        tone="attention"
        title={connection.reason}
        actions={
          <button type="button" class="button" onClick={retry}>
            Try now
          </button>
        }
      >
        <p>
          What you see is from before. The page reconnects by itself
          {command !== undefined && (
            <>
              ; to start the server, run <code>{command}</code>
            </>
          )}
          .
        </p>
      </Callout>
    </div>
  );
}

function startCommand({
  kind,
  stack_option,
}: {
  readonly kind: string;
  readonly stack_option: string;
}): string {
  return kind === 'local' ? 'npm start' : `npx payhooks console ${stack_option}`;
}
