import cdkJson from '../../cdk.json' with { type: 'json' };

/** CDK's feature flags in `cdk.json`: their names contain punctuation. */
const flags = Object.entries(cdkJson.context).filter(([name]) => !/^\w+$/.test(name));

/** The context of `cdk.json` as shipped, so that the settings of a merchant in that file change no test. */
export const shippedContext: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(flags),
  environmentName: 'production',
  environments: { production: {}, development: { keepData: false, logRetentionDays: 7 } },
};
