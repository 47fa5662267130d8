import { type Deployment, orderIdOf } from '../deployment.ts';
import { onlyAws, type PathQuestion, sandboxEvent } from './question.ts';

/** Behind the run's own prefix, so that no other order is meant; `..` and white space stand alone. */
const ids: readonly (readonly [id: string, what: string, orderId: (prefix: string) => string])[] = [
  ['slash', 'with /', (prefix) => `${prefix}/b`],
  ['percent-2f', 'with %2F in its text', (prefix) => `${prefix}%2Fb`],
  ['question-mark', 'with ?', (prefix) => `${prefix}?b`],
  ['percent', 'with %', (prefix) => `${prefix}%b`],
  ['plus', 'with +', (prefix) => `${prefix}+b`],
  ['emoji', 'with an emoji', (prefix) => `${prefix}\u{1f9fe}`],
  ['dots-within', 'with /../', (prefix) => `${prefix}/../b`],
  ['dots', 'that is ..', () => '..'],
  ['space', 'that is one space', () => ' '],
  ['zero-width', 'that is one zero-width space', () => '\u200b'],
];

/** Everything that is asked by looking an order up under its id. */
export function pathQuestions(deployment: Deployment): readonly PathQuestion[] {
  return ids.map(([id, what, orderIdIn]) => {
    const orderId = orderIdIn(orderIdOf(deployment, 'a'));
    return {
      kind: 'path',
      id: `order-id-${id}`,
      asks: `an order id ${what}, in the path of the order query`,
      expected: 200,
      section: onlyAws,
      orderId,
      segment: encodeURIComponent(orderId).replaceAll('.', '%2E'),
      ...sandboxEvent(deployment, `order-id-${id}`, orderId),
    };
  });
}
