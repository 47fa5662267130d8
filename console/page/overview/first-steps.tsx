import { useStack } from '../data/stack.ts';
import { FirstEvent } from '../laboratory/first-event.tsx';
import { Empty } from '../parts/callout.tsx';
import { Code } from '../parts/code.tsx';

/** An empty stack: how to get the first event. */
export function FirstSteps() {
  const { data: stack } = useStack();
  if (stack === undefined) return null;
  if (stack.laboratory) {
    return (
      <Empty icon="send" title="No live event so far">
        <FirstEvent />
      </Empty>
    );
  }
  return (
    <Empty icon="send" title="No live event so far">
      <p>
        The payment service delivers to <code>{stack.webhook_url}</code> once the webhook is registered. This
        command proves the chain before that, from the URL to the order, with sandbox events:
      </p>
      <Code text={`npx payhooks smoke ${stack.stack_option}`} label="the command that proves the chain" />
    </Empty>
  );
}
