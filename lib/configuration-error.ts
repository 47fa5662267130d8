/** Every wrong setting at once, so that one attempt is enough to mend them all. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration is not valid:\n${problems.map((problem) => `  - ${problem}\n`).join('')}` +
        'Settings are read from context.environments.<environmentName> in cdk.json; ' +
        '`-c setting=value` overrides them for one command.',
    );
    this.problems = problems;
  }
}
