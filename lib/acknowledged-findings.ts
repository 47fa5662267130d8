import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import type { Configuration } from './configuration.ts';

/** A finding of rule packs that is accepted. */
interface AcknowledgedFinding {
  /** The names of the rule, one per pack that has it. */
  readonly rules: readonly string[];
  /** Resource types, or construct paths without the stack. */
  readonly on: readonly string[];
  /** Set when the finding is accepted only without `keepData`. */
  readonly onlyWithoutData?: true;
  readonly reason: string;
}

/** The id of a proactive control of AWS Control Tower. */
const controlTower = (rule: string): string => `cdk-validator-cfnguard::${rule}`;

/** `test/infra/rule-packs.test.ts` runs the packs; it fails for other findings and for unused entries. */
export const acknowledgedFindings: readonly AcknowledgedFinding[] = [
  {
    rules: ['AwsSolutions-APIG4', controlTower('api_gw_v2_authorization_type_configured_check')],
    on: ['Verifier/Endpoint/Webhook'],
    reason:
      'The signature of the body authorises a webhook, and only the verifier can check it: the payment ' +
      'service has no AWS credentials, and an authorizer of an HTTP API does not see the body.',
  },
  {
    rules: ['AwsSolutions-SMG4', 'NIST.800.53.R5-SecretsManagerRotationEnabled'],
    on: ['Verifier/KeySecret'],
    reason:
      'The payment service issues the private key in its dashboard, so no function can rotate it. The ' +
      'secret holds the old and the new key during a rotation by hand.',
  },
  {
    rules: ['NIST.800.53.R5-SecretsManagerUsingKMSKey', 'PCI.DSS.321-SecretsManagerUsingKMSKey'],
    on: ['AWS::SecretsManager::Secret'],
    reason:
      'Encrypted with the key that AWS manages for the account. Only secrets that other accounts read ' +
      'need a customer managed key, and a mistake in its policy would turn every 2xx into a 503.',
  },
  {
    rules: [
      'NIST.800.53.R5-CloudWatchLogGroupEncrypted',
      'PCI.DSS.321-CloudWatchLogGroupEncrypted',
      controlTower('cloudwatch_log_group_encrypted_check'),
    ],
    on: ['AWS::Logs::LogGroup'],
    reason:
      'CloudWatch encrypts every log group with its own key. Log lines hold ids, outcomes and IP ' +
      'addresses, never a body, a signature or a key, so a customer managed key would protect nothing more.',
  },
  {
    rules: [controlTower('cloudwatch_log_group_retention_period_check')],
    on: ['AWS::Logs::LogGroup'],
    reason:
      'The record of a payment is its row in the events table, which is kept forever by default; logs ' +
      'only help to find faults. The setting logRetentionDays keeps them for a year or longer.',
  },
  {
    rules: [
      'NIST.800.53.R5-LambdaInsideVPC',
      'PCI.DSS.321-LambdaInsideVPC',
      controlTower('lambda_inside_vpc_check'),
    ],
    on: ['AWS::Lambda::Function'],
    reason:
      'No function calls anything in a private network: only AWS and the payment service, over TLS. A ' +
      'VPC would add the failures of NAT gateways or endpoints, which cost more than the rest.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaConcurrency'],
    on: ['AWS::Lambda::Function'],
    reason:
      'The source of its work limits each function: the throttle of an API, the maximum concurrency of ' +
      'the queue mapping, the shards of the stream, a schedule. Reserved concurrency below the maximum ' +
      'of the mapping would send messages to the dead-letter queue that no consumer has seen.',
  },
  {
    rules: ['Serverless-LambdaTracing'],
    on: ['AWS::Lambda::Function'],
    reason:
      'A trace per event would cost more than the event. The request id is in the access log, the queue ' +
      'message and the logs of verifier and consumer, so an event can be followed without traces.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    on: [
      'Verifier/Function',
      'Consumer/Function',
      'OrderQuery/Function',
      'Operations/Function',
      'OrderFeed/Function',
    ],
    reason:
      'The dead-letter queue of a function only receives asynchronous invocations. These functions are ' +
      'invoked by API Gateway, which waits for the response, or by mappings, which have failure queues.',
  },
  {
    rules: ['Serverless-LambdaDLQ', 'NIST.800.53.R5-LambdaDLQ'],
    on: ['WaitingCount/Function', 'WebhookAudit/Function', 'TokenRefresh/Function'],
    reason:
      'Their events carry no data, so there is nothing to keep: the schedule invokes them again, and ' +
      'alarms fire when they fail or are not invoked.',
  },
  {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    on: ['WaitingCount/Function', 'WebhookAudit/Function'],
    reason:
      'The next run replaces one that could not start, and the alarms WaitingCountSilent and ' +
      'WebhookAuditSilent fire without any.',
  },
  {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    on: ['Consumer/Mapping'],
    reason:
      'Lambda refuses a failure destination for an SQS mapping: after too many receives SQS moves a ' +
      'message to the dead-letter queue.',
  },
  {
    rules: ['Serverless-SQSRedrivePolicy', controlTower('sqs_dlq_check')],
    on: ['EventQueue/DeadLetters', 'OrderFeed/Failures'],
    reason: 'It is a dead-letter queue: an alarm fires at the first message, which is kept for 14 days.',
  },
  {
    rules: ['AwsSolutions-SQS3'],
    on: ['OrderFeed/Failures'],
    reason:
      'It is a dead-letter queue: the failure destination of the stream mapping. The rule only ' +
      'recognises queues in the redrive policy of another queue.',
  },
  {
    rules: ['Serverless-SNSRedrivePolicy'],
    on: ['AWS::SNS::Subscription'],
    reason:
      'The subscription sends alarms by e-mail. A queue of undelivered e-mails would need an alarm, ' +
      'sent the same way; CloudWatch shows the state of every alarm.',
  },
  {
    rules: ['NIST.800.53.R5-IAMNoInlinePolicy', 'PCI.DSS.321-IAMNoInlinePolicy'],
    on: ['AWS::IAM::Policy'],
    reason:
      'Each policy belongs to one role and is deleted with it. A managed policy could be attached to ' +
      'another role or user.',
  },
  {
    rules: [controlTower('lambda_function_public_access_prohibited_check')],
    on: ['AWS::Lambda::Permission'],
    reason:
      'Each permission is for one service and one source ARN. The control only recognises a literal or ' +
      'a plain reference, but the ARN of a route is joined from the API and its path.',
  },
  {
    rules: ['NIST.800.53.R5-DynamoDBInBackupPlan'],
    on: ['Tables'],
    reason:
      'With keepData, point-in-time recovery restores any second of the last 35 days. Longer backups ' +
      'belong to the backup plan of the account, which selects tables by tag.',
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
      'Without keepData the environment is temporary: its data needs no recovery, and deleting the ' +
      'stack must delete it.',
  },
];

const findingsOf = ({ keepData }: Configuration): readonly AcknowledgedFinding[] =>
  acknowledgedFindings.filter(({ onlyWithoutData }) => onlyWithoutData !== true || !keepData);

/**
 * Acknowledges the accepted findings, so that a rule pack that is added to `bin/app.ts` reports only others.
 * No pack runs in a deployment.
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
