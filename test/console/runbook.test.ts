import { type MarkedToken, type Token, walkTokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { createRunbook } from '../../console/server/runbook.ts';

const stack = {
  name: 'payhooks-shop',
  region: 'eu-west-1',
  outputs: { FeedFailureQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/failures' },
};
const runbook = createRunbook(stack);
/** Every token of a section, also those within others. */
function tokensOf(alarm: string) {
  const found: (MarkedToken & { command?: string })[] = [];
  const tokens = [...(runbook(alarm)?.tokens ?? [])] as Token[];
  walkTokens(tokens, (token) => void found.push(token as MarkedToken));
  return found;
}

describe('the runbook of the console', () => {
  it('begins with the next command of the alarm, for this stack', () => {
    expect(runbook('DecisionsWaiting')).toMatchObject({
      command: 'npx payhooks events list --waiting --stack payhooks-shop',
    });
    expect(runbook('ConsumerErrors')?.command).toBeNull();
  });

  it('completes the commands of a block and fills in the outputs that they name', () => {
    const reason = '--reason "changes that the feed skipped"';
    const blocks = tokensOf('FeedFailuresPresent').flatMap((token) =>
      token.type === 'code' ? [token.text] : [],
    );
    expect(blocks).toContainEqual(
      `npx payhooks replay --since 2026-11-21T00:00:00Z --publish ${reason} --stack payhooks-shop\n` +
        'aws sqs purge-queue --queue-url https://sqs.eu-west-1.amazonaws.com/1/failures',
    );
  });

  it('leads to other alarms and to what waits, and names the place in the documents otherwise', () => {
    const linksOf = (alarm: string) =>
      tokensOf(alarm).flatMap((token) => (token.type === 'link' ? [token.href] : []));
    expect(linksOf('WaitingKindsAdded')).toContain('/console/alarms/DecisionsWaiting');
    expect(linksOf('DecisionsWaiting')).toContain('/console/waiting');
    expect(linksOf('HeartbeatMissing')).toContain('docs/deploy.md#6-prove-it');
    expect(linksOf('WebhookAuditFindings')).toContain('docs/runbook.md#missed-events');
  });
});
