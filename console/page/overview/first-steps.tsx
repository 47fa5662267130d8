import { href } from '../data/href.ts';
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
      <Empty
        icon="send"
        title="No event so far"
        actions={
          <a class="button" href={href.laboratory('live')}>
            Open the laboratory
          </a>
        }
      >
        <FirstEvent />
        <p>The laboratory sends webhooks of every kind to this stack, and breaks its parts for a time.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="send" title="No live event so far">
      <p>
        Register the webhook with the payment service; then prove the whole chain with sandbox events, from
        the URL to the order:
      </p>
      <Code text={`npx payhooks smoke ${stack.stack_option}`} label="the command that proves the chain" />
      <p>
        The webhook URL is <code>{stack.webhook_url}</code>
      </p>
    </Empty>
  );
}
