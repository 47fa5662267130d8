import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import type { Configuration } from './configuration.ts';

/** Findings of rule packs that stay, and why. */
export interface AcknowledgedFinding {
  /** As the packs name their rules; one that several packs know is here several times. */
  readonly rules: readonly string[];
  /** The places where it stays: a resource type for all of that type, or a construct without its stack. */
  readonly on: readonly string[];
  /** Whether it stays only where data is not kept. */
  readonly onlyWithoutData?: true;
  readonly reason: string;
}

/** AWS Control Tower's proactive controls, as their plugin names them for CDK. */
const controlTower = (rule: string): string => `cdk-validator-cfnguard::${rule}`;

/** Applied in `bin/app.ts`; `test/infra/rule-packs.test.ts` runs the packs, and fails for a dead one. */
export const acknowledgedFindings: readonly AcknowledgedFinding[] = [
  {
    rules: ['AwsSolutions-APIG4', controlTower('api_gw_v2_authorization_type_configured_check')],
    on: ['Verifier/Endpoint/Webhook'],
    reason:
      'The signature over the body is the authorisation of a webhook, and only the verifier can check ' +
      'it: the payment service knows no AWS credentials, and an authoriser of an HTTP API does not ' +
      'see the body.',
  },
  {
    rules: ['AwsSolutions-SMG4', 'NIST.800.53.R5-SecretsManagerRotationEnabled'],
    on: ['Verifier/KeySecret'],
    reason:
      'The payment service issues the private key, in its dashboard, so no function here can make a ' +
      'new one. The secret holds the old and the new key while it is rotated.',
  },
  {
    rules: ['NIST.800.53.R5-SecretsManagerUsingKMSKey', 'PCI.DSS.321-SecretsManagerUsingKMSKey'],
    on: ['AWS::SecretsManager::Secret'],
    reason:
      'Encrypted with the key that AWS manages for the account. A key of its own is for secrets that ' +
      'other accounts read; here its policy would be one more thing that can stand between a webhook ' +
      'and its 2xx.',
  },
  {
    rules: [
      'NIST.800.53.R5-CloudWatchLogGroupEncrypted',
      'PCI.DSS.321-CloudWatchLogGroupEncrypted',
      controlTower('cloudwatch_log_group_encrypted_check'),
    ],
    on: ['AWS::Logs::LogGroup'],
    reason:
      'CloudWatch encrypts every log group with a key of its own. Lines hold ids, outcomes and ' +
      'addresses, never a body, a signature or a key, so a key that could be withdrawn protects ' +
      'nothing more.',
  },
  {
    rules: [controlTower('cloudwatch_log_group_retention_period_check')],
    on: ['AWS::Logs::LogGroup'],
    reason:
      'The record of a payment is its row in the table of events, kept for ever unless told ' +
      'otherwise; logs are for finding faults. Who must keep them for a year sets logRetentionDays to ' +
      '365.',
  },
  {
    rules: [
      'NIST.800.53.R5-LambdaInsideVPC',
      'PCI.DSS.321-LambdaInsideVPC',
      controlTower('lambda_inside_vpc_check'),
    ],
    on: ['AWS::Lambda::Function'],
    reason:
      'No function reaches anything in a private network: they call AWS and the payment service, over ' +
      'TLS. A VPC would add NAT gateways or endpoints, at a cost above the rest, and their failures.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaConcurrency'],
    on: ['AWS::Lambda::Function'],
    reason:
      'Each function is bounded where its work comes from: the throttle of its API, the maximum ' +
      "concurrency of the queue's mapping, the shards of the stream, a schedule. Reserved concurrency " +
      "below the mapping's maximum sends messages to the dead letters that no consumer has seen.",
  },
  {
    rules: ['Serverless-LambdaTracing'],
    on: ['AWS::Lambda::Function'],
    reason:
      'A trace for each event would cost more than the event itself. The request id is in the access log, ' +
      'the logs of verifier and consumer and the queue message, and follows an event to its outcome.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    on: ['Verifier/Function', 'Consumer/Function', 'OrderQuery/Function', 'OrderFeed/Function'],
    reason:
      'Only asynchronous invocations end in the dead-letter queue of a function. These are invoked by ' +
      'API Gateway, which waits for the answer, or by mappings, whose failures have queues of their ' +
      'own.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    on: ['WebhookAudit/Function', 'TokenRefresh/Function'],
    reason:
      'What starts these says only that it is time, so there is nothing to keep: the schedule starts ' +
      'them again, and alarms ring when they fail or stay away.',
  },
  {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    on: ['WebhookAudit/Function'],
    reason: 'An audit that could not run is worth nothing later; the alarm WebhookAuditSilent tells of it.',
  },
  {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    on: ['Consumer/Mapping'],
    reason:
      'Lambda refuses a failure destination on a mapping that reads a queue: after its receives SQS ' +
      'itself moves a message to the dead letters.',
  },
  {
    rules: ['Serverless-SQSRedrivePolicy', controlTower('sqs_dlq_check')],
    on: ['EventQueue/DeadLetters', 'OrderFeed/Failures'],
    reason: 'This is where failures end: an alarm rings at the first message, and it waits for 14 days.',
  },
  {
    rules: ['AwsSolutions-SQS3'],
    on: ['OrderFeed/Failures'],
    reason:
      'It is a dead-letter queue, which the rule only knows of the queues that another queue names; ' +
      "this one is the failure destination of the stream's mapping.",
  },
  {
    rules: ['Serverless-SNSRedrivePolicy'],
    on: ['AWS::SNS::Subscription'],
    reason:
      'The mail of an alarm. A queue of undelivered mails would need an alarm of its own, sent the ' +
      'same way; the state of every alarm stays visible in CloudWatch.',
  },
  {
    rules: ['NIST.800.53.R5-IAMNoInlinePolicy', 'PCI.DSS.321-IAMNoInlinePolicy'],
    on: ['AWS::IAM::Policy'],
    reason:
      'One policy for one role, written beside what it permits and deleted with it. A managed policy ' +
      'could be attached to somebody else.',
  },
  {
    rules: [controlTower('lambda_function_public_access_prohibited_check')],
    on: ['AWS::Lambda::Permission'],
    reason:
      'Each permission is for one service and one source ARN; the control only recognises a source ' +
      'ARN that is a literal or a plain reference, and that of a route is joined from the API and its ' +
      'path.',
  },
  {
    rules: ['NIST.800.53.R5-DynamoDBInBackupPlan'],
    on: ['Tables'],
    reason:
      'Where data is kept, point-in-time recovery restores any second of the last 35 days. Backups ' +
      'beyond that belong to the plan of the account, which selects tables by tag.',
  },
  {
    rules: [
      'AwsSolutions-DDB3',
      'NIST.800.53.R5-DynamoDBPITREnabled',
      controlTower('dynamodb_table_pitr_enabled_check'),
    ],
    on: ['Tables'],
    onlyWithoutData: true,
    reason:
      'Where keepData is false: an environment to throw away, with data that nobody wants back and ' +
      'that deleting the stack must delete.',
  },
];

/** The findings that stay in an environment. */
const findingsOf = ({ keepData }: Configuration): readonly AcknowledgedFinding[] =>
  acknowledgedFindings.filter(({ onlyWithoutData }) => onlyWithoutData !== true || !keepData);

/**
 * Tells CDK which findings stay, so that whoever adds a rule pack to the app reads the reasons instead of
 * the findings. No pack runs in a deployment.
 */
export function acknowledgeFindings(stack: Stack, configuration: Configuration): void {
  const resources = stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
  for (const { rules, on, reason } of findingsOf(configuration)) {
    for (const resource of resources.filter((resource) => on.some((place) => isAt(resource, place)))) {
      Validations.of(resource).acknowledge(...rules.map((id) => ({ id, reason })));
    }
  }
}

function isAt(resource: CfnResource, place: string): boolean {
  if (place.startsWith('AWS::')) return resource.cfnResourceType === place;
  return `${resource.node.path}/`.startsWith(`${resource.stack.node.path}/${place}/`);
}
