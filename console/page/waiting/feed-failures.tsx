import { useCommand } from '../acts/use-command.ts';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { Code } from '../parts/code.tsx';
import { Section } from '../parts/page.tsx';

/** Changes of orders that the feed has skipped: the runbook has the way back. */
export function FeedFailuresSection({ count }: { readonly count: number }) {
  const mode = useMode();
  const command = useCommand();
  return (
    <Section title={`Could not be published (${count})`} note="Changes of orders of both modes.">
      <p>
        The order feed skipped them after 12 hours of attempts. The orders are right here; systems that follow
        the feed miss the change. Remove the cause, then publish the orders again from the time of the first
        one:
      </p>
      <Code
        text={command('payhooks replay --since TIME --publish')}
        label="the command that publishes again"
      />
      <p>
        <a href={href.alarm('FeedFailuresPresent', mode)}>How to find the cause and the time</a>
      </p>
    </Section>
  );
}
