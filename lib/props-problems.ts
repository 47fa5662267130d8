import { problemOf, unknownName } from './configuration.ts';
import type { PayhooksProps } from './payhooks-props.ts';

/** Every prop; a resource with the member by which it is known, the rest with none. */
const members: Readonly<Record<keyof PayhooksProps, string>> = {
  ...{ deploymentName: '', signatureHeader: '', requiredEvents: '', eventMeanings: '' },
  ...{ paymentServiceBaseUrl: '', paymentServiceAuthentication: '' },
  ...{ webhookUrl: '', webhookDomain: '', webhookRequestsPerSecond: '', webhooksPerHourMax: '' },
  ...{ consumerConcurrencyMax: '', verifierReservedConcurrency: '', verifierProvisionedConcurrency: '' },
  ...{ batchWindow: '', changesIndex: '', transactionRows: '' },
  ...{ rollout: '', vpc: 'vpcId', vpcSubnets: '', securityGroups: '', privateEndpoints: '' },
  ...{ removalPolicy: '', eventsTable: 'tableName', ordersTable: '', sequenceBase: '' },
  // By its name alone, a secret has no ARN that a policy can name.
  ...{ keySecret: 'secretFullArn', tokenSecret: 'secretFullArn', sealSecret: 'secretFullArn' },
  ...{ encryptionKey: '', eventRetention: '', backupRetention: '', eventsTableClass: '', logLevel: '' },
  ...{ logRetention: '', accessLogRetention: '', evidenceRetention: '', approvals: '', runbookUrl: '' },
  ...{ alarmEmail: '', alarmTopic: 'topicArn', ticketTopic: 'topicArn', expectWebhooksWithin: '' },
  ...{ deadMansSwitchUrl: '', operatorRole: 'roleArn', tableAdminRole: 'roleArn' },
};

/** What no compiler has refused, such as in JavaScript, or when Node strips the types. */
export function problemsOf(props: PayhooksProps): string[] {
  const problems: string[] = [];
  const given: Readonly<Record<string, unknown>> = { ...props };
  for (const [name, value] of Object.entries(given)) {
    const member = (members as Readonly<Record<string, string>>)[name];
    if (member === undefined) problems.push(unknownName(name, name, Object.keys(members)));
    else if (member && value !== undefined && !memberOf(value, member))
      problems.push(`${name}: expected what CDK has for it, with ${member}.`);
  }
  // The functions may decrypt with one key alone.
  const own = memberOf(props.encryptionKey, 'keyArn');
  for (const name of ['eventsTable', 'ordersTable', 'keySecret', 'tokenSecret', 'sealSecret'] as const) {
    const key = props[name]?.encryptionKey?.keyArn;
    if (key !== undefined && key !== own)
      problems.push(problemOf(name, 'what another key encrypts', 'the same key as that of encryptionKey'));
  }
  return problems;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null)?.[name] : undefined;
