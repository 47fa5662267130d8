/** Code for the test of the mutation tests, which notice some of its changes. */

/** Read once, while the module loads. */
const unit = 'EUR';

export const priceOf = (amount: string): string => `${amount} ${unit}`;

/** Some of its mutants are endless loops. */
export function sumTo(max: number): number {
  let sum = 0;
  for (let n = 1; n <= max; n += 1) sum += n;
  return sum;
}

/** No test checks the border. */
export const isLarge = (amount: number): boolean => amount > 100;

/** Of these, and of the next ones, only words are left alone. */
export const sumSentences = {
  small: 'A small sum, of little use.',
  large: (amount: string) => `A large sum of ${amount}.`,
  unit: 'EUR',
};

export function sizeSentence(size: string): string {
  if (size === 'very small') return 'Nobody sees it.';
  switch (size) {
    case 'very large':
      return 'It fills ' + 'the whole room.';
    default:
      return size;
  }
}
