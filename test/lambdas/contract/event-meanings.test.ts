import { expect, it } from 'vitest';
import { readEventMeanings } from '../../../lambdas/contract/event-meanings.ts';

it('without a variable, event names have their built-in meanings', () => {
  const meaningOf = readEventMeanings(undefined);
  expect(['transaction.paid', 'transaction.voided'].map(meaningOf)).toEqual(['paid', undefined]);
});

it.each(['', 'paid', '7', '{"transaction.voided":"void"}', '{"transaction.voided":null}'])(
  'the variable %j is refused with what is expected',
  (variable) => {
    expect(() => readEventMeanings(variable)).toThrow(
      'EVENT_MEANINGS is not a JSON object from event names to paid, refunded, failed, disputed, history; ' +
        'the stack sets it.',
    );
  },
);
