import { describe, expect, it } from 'vitest';
import type { DeadLetterSummary, DeadLetters } from '../../console/contract.ts';
import type { Subject } from '../../console/page/acts/choices.ts';
import { commandOf, eraseCommand, replayNameCommand } from '../../console/page/acts/commands.ts';
import { messagesText, redriveObstacles } from '../../console/page/acts/redrive.ts';

const name: Subject = {
  ...{ mode: 'sandbox', kind: 'event_name', waits: true, eventId: 'evt-1', eventName: 'transaction.odd' },
  ...{ bodySha256: null, orderId: null, reason: null, judged: null },
  recordedAt: '2026-11-22T10:00:00.000Z',
};

describe('commands that the console shows', () => {
  it('replay the events of a name from the time of the first one, and publish their orders', () => {
    expect(replayNameCommand(name)).toBe(
      'payhooks replay --since 2026-11-22T10:00:00.000Z --publish --sandbox',
    );
  });

  it('erase the bodies of an order, whose id is one word of the shell', () => {
    expect(eraseCommand({ orderId: "it's $(id)" }, 'live')).toBe(
      String.raw`payhooks erase --order 'it'\''s $(id)'`,
    );
  });

  it('erase the bodies of an event whose id looks like an option', () => {
    expect(eraseCommand({ eventId: '--yes' }, 'live')).toBe('payhooks erase --event=--yes');
  });

  it('erase the bodies of a sandbox event', () => {
    expect(eraseCommand({ eventId: 'evt-1' }, 'sandbox')).toBe('payhooks erase --event evt-1 --sandbox');
  });

  it('run with npx on the stack of the console', () => {
    expect(commandOf('payhooks dlq list', '--stack payhooks')).toBe('npx payhooks dlq list --stack payhooks');
  });
});

const letter = (fields: Partial<DeadLetterSummary>): DeadLetterSummary => ({
  ...{ number: 1, message_id: 'm-1', error: 'event_not_applied', event_id: 'evt-1', event_name: null },
  ...{ order_id: null, mode: 'live', received_at: null, sent_at: '2026-11-22T10:00:00.000Z' },
  ...{ redriven_before: false, malformed: false },
  ...fields,
});
const letters = (...messages: readonly DeadLetterSummary[]): DeadLetters => ({
  ...{ depth: messages.length, seen: messages.length, note: null, redrive: null },
  groups: [{ error: 'event_not_applied', meaning: '', messages }],
});

describe('redriveObstacles', () => {
  it('finds none for messages that were not redriven yet', () => {
    expect(redriveObstacles(letters(letter({})))).toEqual([]);
  });

  it('names what came back once, and what can never be read', () => {
    const messages = [letter({ redriven_before: true }), letter({ malformed: true }), letter({})];
    expect(redriveObstacles(letters(...messages))).toEqual([
      'Redriven before, and back: 1 message.',
      'The consumer of this version cannot read 1 message.',
    ]);
  });
});

describe('messagesText', () => {
  it.each([
    [1, 'the message moves'],
    [1_200, 'all 1,200 messages move'],
  ])('describes how %i messages move', (depth, text) => {
    expect(messagesText(depth)).toBe(text);
  });
});
