import { Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import {
  operationsBurst,
  operationsMemoryMegabytes,
  operationsRequestsPerSecond,
  operationsTimeoutSeconds,
} from '../lambdas/contract/operations-limits.ts';
import { ownApiOf } from '../lambdas/contract/own-api.ts';
import { HttpEndpoint, type Route } from './http-endpoint.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { bodyVariables, sequenceVariables } from './row-variables.ts';
import { StackSecret } from './stack-secret.ts';
import type { StageLogs } from './stage-logs.ts';
import type { Tables } from './tables.ts';

export interface OperationsProps extends StageProps {
  readonly tables: Tables;
}

/** Only routes below `/operations/bodies/` return customer data, so one ARN grants or withholds it. */
const routes: readonly Route[] = [
  { id: 'GetWaiting', method: HttpMethod.GET, path: '/operations/waiting' },
  { id: 'GetWaitingCounts', method: HttpMethod.GET, path: '/operations/waiting/counts' },
  { id: 'GetEvent', method: HttpMethod.GET, path: '/operations/events/{event_id}' },
  { id: 'GetEventBodies', method: HttpMethod.GET, path: '/operations/bodies/events/{event_id}' },
  { id: 'GetBody', method: HttpMethod.GET, path: '/operations/bodies/{body_sha256}' },
  { id: 'GetKeys', method: HttpMethod.GET, path: '/operations/keys' },
  { id: 'PostReplay', method: HttpMethod.POST, path: '/operations/replay' },
  { id: 'PostVerify', method: HttpMethod.POST, path: '/operations/verify' },
  { id: 'PostAdmit', method: HttpMethod.POST, path: '/operations/admit' },
  { id: 'PostDismiss', method: HttpMethod.POST, path: '/operations/dismiss' },
  { id: 'PostResolve', method: HttpMethod.POST, path: '/operations/resolve' },
  { id: 'PostErase', method: HttpMethod.POST, path: '/operations/erase' },
];

/** The API of operators in the same account: what waits, every body of an event, and acts on them. */
export class Operations extends Construct {
  readonly baseUrl: string;
  /** The resource of `execute-api:Invoke` for every route. */
  readonly invokeArn: string;
  readonly function: NodeFunction;
  readonly accessLogs: StageLogs;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { configuration, encryption, alarms, tables } = props;
    // It protects no payment, so a new stack makes a new one.
    const proof = new StackSecret(this, 'Proof', {
      description:
        'Proves to the operations function that a request came through its API; no person needs it.',
      isGenerated: true,
      isKept: false,
      encryption,
    });
    this.function = new NodeFunction(this, 'Function', {
      stage: 'operations',
      description: 'Shows what waits for a person, and does what the person decides.',
      timeoutSeconds: operationsTimeoutSeconds,
      memoryMegabytes: operationsMemoryMegabytes,
      environment: {
        [variables.eventsTableName]: tables.events.tableName,
        [variables.ordersTableName]: tables.orders.tableName,
        [variables.proofSecretArn]: proof.secretArn,
        ...bodyVariables(configuration),
        ...sequenceVariables(configuration),
      },
      configuration,
      encryption,
    });
    tables.grantOperate(this.function);
    proof.grantGetValue(this.function);

    const endpoint = new HttpEndpoint(this, 'Endpoint', {
      name: `${Stack.of(this).stackName} operations`,
      handler: this.function,
      routes,
      authorizer: new HttpIamAuthorizer(),
      recordsCallers: true,
      requestsPerSecond: operationsRequestsPerSecond,
      burst: operationsBurst,
      proof,
      configuration,
      encryption,
    });
    const { apiId } = endpoint.api;
    const accountId = Stack.of(this).account;
    const ownApi = ownApiOf({ accountId, apiId, stage: endpoint.stage.stageName });
    this.function.lambda.addEnvironment(variables.ownApi, ownApi);
    this.accessLogs = endpoint.accessLogs;
    this.baseUrl = endpoint.baseUrl;
    this.invokeArn = endpoint.api.arnForExecuteApi('*', '/operations/*');

    alarms.add('OperationsServerErrors', {
      meaning: 'The operations API responded with a 5xx status.',
      metric: endpoint.serverErrors(),
    });
  }
}
