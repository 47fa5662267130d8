import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';

const webhookPath = '/webhooks/payments';
const windowSeconds = 60;
/** One address alone never uses up the API's throttle, which it shares with all others. */
const shareOfOneAddress = 1 / 4;
/** AWS WAF takes no lower limit. */
const rateMin = 10;

type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const exactly = (field: CfnWebACL.FieldToMatchProperty, text: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: field,
    positionalConstraint: 'EXACTLY',
    searchString: text,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/** The address of the caller is all that it inspects. */
const reputation: Rule = managed('AWSManagedRulesAmazonIpReputationList', { none: {} });

/**
 * They inspect bodies, and a name or a reference in a payment may look like an attack. So they only count: a
 * payment that is refused arrives late or never, while an attack meets a parser that trusts nothing.
 */
const counting: readonly Rule[] = [
  'AWSManagedRulesCommonRuleSet',
  'AWSManagedRulesKnownBadInputsRuleSet',
].map((name) => managed(name, { count: {} }));

/** The rules of the web ACL, in their order. No rule that blocks looks at a body. */
export function firewallRules(requestsPerSecond: number): CfnWebACL.RuleProperty[] {
  const isWebhook: CfnWebACL.StatementProperty = {
    andStatement: {
      statements: [exactly({ method: {} }, 'POST'), exactly({ uriPath: {} }, webhookPath)],
    },
  };
  const rules: Rule[] = [
    {
      name: 'OnlyWebhook',
      statement: { notStatement: { statement: isWebhook } },
      action: { block: { customResponse: { responseCode: 404 } } },
    },
    {
      name: 'Rate',
      statement: {
        rateBasedStatement: {
          aggregateKeyType: 'IP',
          limit: Math.max(rateMin, requestsPerSecond * windowSeconds * shareOfOneAddress),
          evaluationWindowSec: windowSeconds,
        },
      },
      // A sender repeats what got 429; the usual 403 means that the signature is wrong.
      action: {
        block: {
          customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '60' }] },
        },
      },
    },
    reputation,
    ...counting,
  ];
  return rules.map((rule, priority) => ({
    ...rule,
    priority,
    visibilityConfig: {
      metricName: rule.name,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
    },
  }));
}

function managed(name: string, overrideAction: CfnWebACL.OverrideActionProperty): Rule {
  return {
    name,
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
    overrideAction,
  };
}
