import type { Resource, Template } from './assembly.ts';

/** Something that holds on AWS and that a deployment to MiniStack cannot show. */
export interface KnownDifference {
  readonly fact: string;
  /** What MiniStack does instead. */
  readonly why: string;
  /** The test that shows the fact elsewhere. */
  readonly standsIn: string;
}

/** What MiniStack refuses a whole template for, so that it is left out. */
export interface WithheldResource extends KnownDifference {
  readonly matches: (resource: Resource) => boolean;
}

/** What MiniStack takes otherwise than AWS does, so that it is written in another way. */
export interface Mend extends KnownDifference {
  readonly mend: (template: Template) => Template;
}

export const withheldResources: readonly WithheldResource[] = [
  {
    fact: 'the archive of the order feed is deployed',
    why: 'MiniStack does not know AWS::Events::Archive.',
    standsIn: 'test/infra/order-feed.test.ts',
    matches: ({ Type }) => Type === 'AWS::Events::Archive',
  },
  {
    fact: 'an alarm over an expression of metrics is deployed',
    why: 'MiniStack refuses metric math in AWS::CloudWatch::Alarm.',
    standsIn: 'test/infra/alarms.test.ts',
    matches: ({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' && Properties?.['Metrics'] !== undefined,
  },
  {
    fact: 'the rotation of the OAuth token is scheduled',
    why:
      'MiniStack does not know AWS::SecretsManager::RotationSchedule, and its RotateSecret calls no function: ' +
      'the test runs the four steps of the deployed one.',
    standsIn: 'packages/cdk-local/test/secrets-rotation.test.ts',
    matches: ({ Type }) => Type === 'AWS::SecretsManager::RotationSchedule',
  },
];

export const mends: readonly Mend[] = [
  {
    fact: 'Ref of a secret is its ARN',
    why: 'MiniStack gives the name, which no policy matches; Fn::GetAtt of Id, the same ARN on AWS, is right.',
    standsIn: 'test/infra/least-privilege.test.ts',
    mend: (template) => {
      const secrets = Object.entries(template.Resources)
        .filter(([, { Type }]) => Type === 'AWS::SecretsManager::Secret')
        .map(([id]) => id);
      return rewrite(template, (object) =>
        secrets.includes(String(object['Ref'])) ? { 'Fn::GetAtt': [object['Ref'], 'Id'] } : object,
      );
    },
  },
  {
    fact: 'the order feed may publish under its own sources and detail type alone',
    why: 'MiniStack does not know the condition keys of EventBridge and would permit nothing.',
    standsIn: 'test/infra/least-privilege.test.ts',
    mend: (template) =>
      rewrite(template, ({ Condition, ...rest }) =>
        Condition === undefined || JSON.stringify(Condition).includes('"events:')
          ? rest
          : { ...rest, Condition },
      ),
  },
];

/** Facts of the acceptance suite, by section and name; they are run, and have to fail. */
export const brokenFacts: readonly KnownDifference[] = ['a/b', 'a%2Fb'].map((orderId) => ({
  fact: `a signed payment is found under the order id ${JSON.stringify(orderId)}`,
  why: 'MiniStack decodes the path, all but %25, before it matches a route; docs/assumptions.md has what AWS may do.',
  standsIn: 'test/local/acceptance.test.ts',
}));

/** What no test here asks, because the answer would say nothing about AWS. */
const unaskedFacts: readonly KnownDifference[] = [
  {
    fact: 'a secret or a version without a value is not found',
    why: 'MiniStack reads an empty one; secrets-front.ts stands before it and tells the functions what AWS does.',
    standsIn: 'packages/cdk-local/test/secrets-manager.test.ts',
  },
  {
    fact: "the schedule needs its role's permission to start the audit",
    why: 'MiniStack starts what a schedule names without asking whether its role may.',
    standsIn: 'test/infra/least-privilege.test.ts',
  },
  {
    fact: 'rows expire, and tables can be restored to a point in time',
    why: 'MiniStack drops TimeToLiveSpecification and PointInTimeRecoverySpecification.',
    standsIn: 'test/infra/data.test.ts',
  },
  {
    fact: 'the order feed repeats, bisects and gives up on records as its mapping says',
    why: 'MiniStack ignores batchItemFailures, bisecting and retries of a stream, and reads it alone.',
    standsIn: 'packages/cdk-local/test/stream-mapping.test.ts',
  },
  {
    fact: 'an event that cannot be recorded ends in the dead-letter queue after 80 receives',
    why: 'The visibility of three minutes is real here: it would take four hours.',
    standsIn: 'packages/cdk-local/test/event-source-mapping.test.ts',
  },
  {
    fact: 'what functions count becomes metrics, and alarms ring',
    why: 'MiniStack makes no metrics of log lines; every alarm stays INSUFFICIENT_DATA.',
    standsIn: 'test/infra/alarms.test.ts',
  },
  {
    fact: 'a closed default endpoint does not answer, and a domain with a trust store asks for a certificate',
    why: 'MiniStack keeps both settings and does neither.',
    standsIn: 'test/infra/webhook-domain.test.ts',
  },
  {
    fact: 'every request leaves a line in the access log, and too many are throttled',
    why: 'MiniStack keeps the settings of a stage and does neither.',
    standsIn: 'test/infra/http-endpoint.test.ts',
  },
  {
    fact: '300 events come at once',
    why: 'Each request that is under way is a process of its own here: at most eight are.',
    standsIn: 'test/local/acceptance.test.ts',
  },
];

/** All of it, as it is printed when the suite runs. */
export const knownDifferences: readonly KnownDifference[] = [
  ...withheldResources,
  ...mends,
  ...brokenFacts,
  ...unaskedFacts,
];

type JsonObject = Readonly<Record<string, unknown>>;

/** The template with every object in it, from the innermost, replaced by what `replace` gives. */
function rewrite(template: Template, replace: (object: JsonObject) => JsonObject): Template {
  return JSON.parse(JSON.stringify(template), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? replace(value as JsonObject)
      : value,
  );
}
