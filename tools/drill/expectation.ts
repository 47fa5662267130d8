/** Something did not happen as the drill expects. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError';
}

export function check(isTrue: boolean, expectation: string): asserts isTrue {
  if (!isTrue) throw new ExpectationError(`Expected: ${expectation}`);
}
