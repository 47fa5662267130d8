import cdkJson from '../../cdk.json' with { type: 'json' };

/** The context of `cdk.json` that is CDK's: feature flags, whose names are no plain words. */
const flags = Object.entries(cdkJson.context).filter(([name]) => !/^\w+$/.test(name));

/**
 * The context of `cdk.json` as it is shipped. A merchant writes his own settings into that file, and what the tests
 * say of the code must not change with them.
 */
export const shippedContext: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(flags),
  environmentName: 'production',
  environments: { production: {}, development: { keepData: false, logRetentionDays: 7 } },
};
