import { describe, expect, it } from 'vitest';
import type { RunbookBlock, RunbookPart, RunbookText } from '../../console/contract/runbook.ts';
import { createRunbook } from '../../console/server/runbook/runbook.ts';
import { alarmGuide } from '../../lambdas/contract/alarm-guide.ts';

const stack = {
  name: 'payhooks-shop',
  region: 'eu-west-1',
  outputs: { FeedFailureQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/failures' },
};
const runbook = createRunbook(stack);
const blocksOf = (alarm: string): readonly RunbookBlock[] => runbook(alarm)?.blocks ?? [];

/** Every part of a section, also those within others. */
const partsIn = (text: RunbookText): RunbookPart[] =>
  text.flatMap((part) => [part, ...(typeof part.text === 'string' ? [] : partsIn(part.text))]);
const partsOf = (blocks: readonly RunbookBlock[]): RunbookPart[] =>
  blocks.flatMap((block) => {
    if (block.type === 'paragraph') return partsIn(block.text);
    if (block.type === 'list') return block.items.flatMap(partsOf);
    if (block.type === 'table') return [...block.head, ...block.rows.flat()].flatMap(partsIn);
    return [];
  });
const textOf = (text: RunbookText): string =>
  text.map((part) => (typeof part.text === 'string' ? part.text : textOf(part.text))).join('');

describe('the runbook of the console', () => {
  it.each(Object.keys(alarmGuide))('explains %s: meaning, investigation and resolution', (alarm) => {
    const strong = partsOf(blocksOf(alarm)).flatMap((part) =>
      part.type === 'strong' ? [textOf(part.text)] : [],
    );
    expect(strong).toEqual(expect.arrayContaining(['Meaning.', 'Investigate.', 'Resolve.']));
  });

  it.each(Object.keys(alarmGuide))('leaves no markup of Markdown in the text of %s', (alarm) => {
    const texts = partsOf(blocksOf(alarm)).flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => /\*\*|`|\]\(|&[a-z]+;|\n/.test(text))).toEqual([]);
  });

  it('has nothing for a name that is no alarm', () => {
    expect(runbook('What waits')).toBeUndefined();
    expect(runbook('constructor')).toBeUndefined();
    expect(runbook('eventsdelayed')).toBeUndefined();
  });

  it('begins with the next command of the alarm, for this stack', () => {
    expect(runbook('EventConflicts')).toMatchObject({
      severity: 'today',
      command: 'npx payhooks events list --kind conflict --stack payhooks-shop',
    });
    expect(runbook('ConsumerErrors')?.command).toBeNull();
  });

  it('leads to the waiting room from the alarms for what waits, and from no other', () => {
    const alarms = Object.keys(alarmGuide).filter((alarm) => runbook(alarm)?.is_about_waiting);
    expect(alarms).toEqual([
      ...['DeadLettersPresent', 'EventConflicts', 'EventNamesUnknown', 'EventsQuarantined'],
      ...['EventsUnassigned', 'EventsUnrecognised', 'FeedFailuresPresent', 'OrdersFull'],
    ]);
  });

  it('completes the commands of a block and fills in the outputs that they name', () => {
    const reason = '--reason "changes that the feed skipped"';
    expect(blocksOf('FeedFailuresPresent')).toContainEqual({
      type: 'commands',
      commands: [
        `npx payhooks replay --since 2026-11-21T00:00:00Z --publish ${reason} --stack payhooks-shop`,
        'aws sqs purge-queue --queue-url https://sqs.eu-west-1.amazonaws.com/1/failures',
      ],
    });
  });

  it('completes a command in the text, and shows it as it is written', () => {
    expect(partsOf(blocksOf('DeliveriesGivenUp'))).toContainEqual({
      ...{ type: 'code', text: 'payhooks reconcile' },
      command: 'npx payhooks reconcile --stack payhooks-shop',
    });
    expect(partsOf(blocksOf('ConsumerErrors')).filter((part) => part.type === 'code')).not.toEqual([]);
  });

  it('names local mode by its address', () => {
    const local = createRunbook({ ...stack, localUrl: 'http://127.0.0.1:4800' });
    expect(local('DeliveriesMissing')?.command).toBe('npx payhooks reconcile --local http://127.0.0.1:4800');
  });

  it('leads to other alarms and to what waits, and names the place in the documents otherwise', () => {
    const linksOf = (alarm: string) =>
      partsOf(blocksOf(alarm)).flatMap((part) => (part.type === 'link' ? [part.to] : []));
    expect(linksOf('FeedFailuresLost')).toContainEqual({ type: 'alarm', name: 'FeedFailuresPresent' });
    expect(linksOf('WaitingCountSilent')).toContainEqual({ type: 'waiting' });
    expect(linksOf('EventNamesUnknown')).toContainEqual({
      ...{ type: 'document', place: 'docs/settings.md#the-payment-service' },
    });
    expect(linksOf('DeliveriesGivenUp')).toContainEqual({
      ...{ type: 'document', place: 'docs/runbook.md#missed-events' },
    });
  });

  it('keeps lists and tables', () => {
    expect(blocksOf('WebhookNotRegistered').find(({ type }) => type === 'list')).toBeDefined();
    const table = blocksOf('TokenRefreshFailed').find((block) => block.type === 'table');
    expect(table?.head.map(textOf)).toEqual(['error_name', 'meaning']);
    expect(table?.rows.map(([name = []]) => textOf(name))).toContain('RotationError');
  });
});
