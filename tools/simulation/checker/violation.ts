/** Something that must never be true after a run. */
export interface Violation {
  /** The rule that does not hold. */
  readonly rule: Rule;
  /** What is wrong, with the ids: enough to start searching without this code. */
  readonly sentence: string;
}

export const rules = {
  responses: 'Every webhook gets the response that its signature deserves.',
  recorded: 'Every acknowledged event is recorded exactly once, byte for byte, with its signature.',
  invented: 'Nothing is recorded that was not sent with a signature of the account.',
  orders: 'Every order has the state that its events give it.',
  outcomes: 'Every row shows what became of its event.',
  list: 'A reader of the list ends with every order in its last state.',
  feed: 'The feed publishes every change, and nothing that was never true.',
  waiting: 'Nothing waits without being listed and counted for an alarm.',
  drained: 'Nothing is left in a queue without an alarm.',
  operators: 'What operators did is recorded with their names, and nothing else is.',
  retention: 'A body is kept as long as it must be, and no longer.',
  erased: 'An erased body is gone, and does not come back.',
} as const;
export type Rule = keyof typeof rules;

/** Makes sentences of one rule. */
export const violationsOf =
  (rule: Rule) =>
  (...sentences: readonly string[]): readonly Violation[] =>
    sentences.map((sentence) => ({ rule, sentence }));

export const quoted = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
