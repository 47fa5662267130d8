import { adoptedResources, everySetting } from './every-setting.ts';

const domain = {
  webhookDomainName: everySetting.webhookDomainName,
  webhookCertificateArn: everySetting.webhookCertificateArn,
};
const { paymentServiceBaseUrl } = everySetting;

/**
 * The stacks that the settings can make: every resource and every choice between resources is in one of them.
 * Rule packs and linters check all of them.
 */
export const variants: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  default: {},
  development: { environmentName: 'development' },
  'private-key': { paymentServiceBaseUrl },
  oauth: { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' },
  'domain-and-rollout': { ...domain, rollout: 'LambdaCanary10Percent5Minutes' },
  'every-setting': everySetting,
  'adopted-resources': { ...everySetting, ...adoptedResources },
  'topics-and-concurrency': {
    changesIndex: false,
    transactionRows: false,
    alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:pages',
    ticketTopicArn: everySetting.ticketTopicArn,
    verifierReservedConcurrency: 20,
    verifierProvisionedConcurrency: 2,
  },
  private: {
    functionSubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
    functionSecurityGroupIds: ['sg-0a1b2c3d'],
    privateEndpointIds: ['vpce-0a1b2c3d'],
  },
  vpc: {
    functionSubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
    functionSecurityGroupIds: ['sg-0a1b2c3d'],
  },
};
