import { Stack, Validations } from 'aws-cdk-lib';
import { Policy } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** Private, with `privateEndpointIds`. */
const apis = ['OrderQuery/Endpoint/Api', 'Operations/Endpoint/Api'];

/**
 * What cdk-nag's `AwsSolutions` finds in a deployment, with the reason why each does no harm: an app that checks
 * its stacks with it has no findings of ours. `npm run audit:templates` checks with more rules.
 */
const accepted: readonly [rule: string, paths: readonly string[], reason: string][] = [
  [
    'APIG4',
    ['Verifier/Endpoint/Webhook'],
    'The signature of the body authorises a webhook, and only the verifier can check it: the payment service ' +
      'has no AWS credentials, and an authorizer of an HTTP API does not see the body.',
  ],
  ['SMG4', ['Heartbeat/ClientCertificate'], 'It is renewed where it was issued.'],
  [
    'SMG4',
    ['Heartbeat/KeySecret'],
    'It signs heartbeats, no payment. CloudFormation resolves it only when the stage changes, so a rotation ' +
      'would stop the API; ADR 22 says how to replace it.',
  ],
  [
    'SMG4',
    ['Verifier/KeySecret'],
    'The payment service issues the private key in its dashboard, so no function can rotate it. The secret ' +
      'holds the old and the new key during a rotation by hand.',
  ],
  [
    'SQS3',
    ['OrderFeed/Failures'],
    'It is a dead-letter queue: the failure destination of the stream mapping. The rule only recognises queues ' +
      'in the redrive policy of another queue.',
  ],
  [
    'IAM5',
    ['HeartbeatReturn/Function/Role'],
    'It reads only GET /orders/{order_id}, each time of another order.',
  ],
  [
    'IAM5',
    ['SelfCheck/Function/Role'],
    "It only reads settings of this deployment's resources, whose names begin with that of the stack. " +
      'DescribeAlarms, log groups and event source mappings have no narrower resource that it could name.',
  ],
  [
    'IAM5',
    ['Rollout/Role'],
    'CodeDeploy reads the states of alarms, which IAM does not restrict by name for DescribeAlarms, and ' +
      'provisioned concurrency of any version of the two functions.',
  ],
  [
    'IAM5',
    [
      'Heartbeat',
      'Seal',
      'Verifier',
      'Consumer',
      'WaitingCount',
      'OrderQuery',
      'Operations',
      'OrderFeed',
      'TokenRefresh',
      'WebhookAudit',
    ].map((stage) => `${stage}/Function/Role`),
    'In a VPC, Lambda makes and deletes the network interfaces of a function with its role. Their ARNs do not ' +
      'exist before.',
  ],
  ['APIG2', apis, 'The function checks every field, and says what is wrong with it and what is expected.'],
  ['APIG3', apis, 'Only the named VPC endpoints reach a private API, and IAM authorises each request.'],
  [
    'APIG6',
    apis,
    'The access log has every request. Execution logs need a role for the whole account and can hold bodies ' +
      'of payments.',
  ],
  ['COG4', apis, 'IAM authorises every method: callers are systems and operators with AWS credentials.'],
];

/** Accepts them, once the deployment has all its parts. An older CDK has no list of what is accepted. */
export function acceptFindings(deployment: Construct): void {
  if ((Validations as typeof Validations | undefined) === undefined) return;
  for (const [rule, paths, reason] of accepted)
    for (const path of paths) {
      const part = path.split('/').reduce<Construct | undefined>(childOf, deployment);
      if (part === undefined) continue;
      const ids = rule === 'IAM5' ? wildcardsIn(part).map((one) => `${rule}[Resource::${one}]`) : [rule];
      Validations.of(part).acknowledge(...ids.map((id) => ({ id: `AwsSolutions-${id}`, reason })));
    }
}

const childOf = (part: Construct | undefined, id: string): Construct | undefined =>
  part?.node.tryFindChild(id) as Construct | undefined;

/** The resources with an asterisk in the policies of a role, as cdk-nag writes them: it accepts no pattern. */
function wildcardsIn(role: Construct): string[] {
  const policies = role.node.findAll().filter((part) => part instanceof Policy);
  const documents = policies.map(({ document }) => Stack.of(role).resolve(document.toJSON()) as Document);
  const resources = documents.flatMap(({ Statement }) => Statement.flatMap(({ Resource }) => Resource));
  return [...new Set(resources.map(written))].filter((resource) => resource.includes('*'));
}

interface Document {
  readonly Statement: readonly { readonly Resource: Value | Value[] }[];
}

type Value =
  | string
  | { readonly Ref: string }
  | { readonly 'Fn::GetAtt': readonly string[] }
  | { readonly 'Fn::Join': readonly [string, readonly Value[]] }
  | { readonly 'Fn::Select': unknown };

function written(value: Value): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return `<${value.Ref}>`;
  if ('Fn::GetAtt' in value) return `<${value['Fn::GetAtt'].join('.')}>`;
  if (!('Fn::Join' in value)) return JSON.stringify(value);
  const [separator, parts] = value['Fn::Join'];
  return parts.map(written).join(separator);
}
