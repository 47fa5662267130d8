import { Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import {
  operationsBurst,
  operationsMemoryMegabytes,
  operationsRequestsPerSecond,
  operationsTimeoutSeconds,
} from '../lambdas/contract/operations-limits.ts';
import { ownApiOf } from '../lambdas/contract/own-api.ts';
import { deploymentNameOf } from './deployment-name.ts';
import type { Route } from './http-endpoint.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { createIamEndpoint } from './private-endpoint.ts';
import { bodyVariables, sequenceVariables } from './row-variables.ts';
import type { StackSecret } from './stack-secret.ts';
import type { StageLogs } from './stage-logs.ts';
import type { Tables } from './tables.ts';

export interface OperationsProps extends StageProps {
  readonly tables: Tables;
  /** The proof that a request came through the API. */
  readonly proof: StackSecret;
}

/** Only routes below `/operations/bodies/` return customer data, so one ARN grants or withholds it. */
const routes: readonly Route[] = [
  { id: 'GetWaiting', method: HttpMethod.GET, path: '/operations/waiting' },
  { id: 'GetWaitingCounts', method: HttpMethod.GET, path: '/operations/waiting/counts' },
  { id: 'GetEvents', method: HttpMethod.GET, path: '/operations/events' },
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
  { id: 'GetApprovals', method: HttpMethod.GET, path: '/operations/approvals' },
  { id: 'PostApprove', method: HttpMethod.POST, path: '/operations/approvals/approve' },
  { id: 'PostReject', method: HttpMethod.POST, path: '/operations/approvals/reject' },
];

/** The API of operators in the same account: what waits, every body of an event, and acts on them. */
export class Operations extends Construct {
  readonly baseUrl: string;
  /** The resource of `execute-api:Invoke` for every route. */
  readonly invokeArn: string;
  /** That of one route or of several, such as `POST/operations/*`. */
  readonly routeArn: (route: string) => string;
  readonly function: NodeFunction;
  readonly accessLogs: StageLogs;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { configuration, encryption, tables, proof } = props;
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
        ...(configuration.approvals.length > 0 && {
          [variables.approvals]: configuration.approvals.join(','),
        }),
      },
      configuration,
      encryption,
      logs: { retention: configuration.evidenceRetentionDays, isProtected: true },
    });
    tables.grantOperate(this.function);
    proof.grantGetValue(this.function);

    const endpoint = createIamEndpoint(this, 'Endpoint', {
      name: `${deploymentNameOf(this)} operations`,
      handler: this.function,
      routes,
      requestsPerSecond: operationsRequestsPerSecond,
      burst: operationsBurst,
      proof,
      configuration,
      encryption,
    });
    const { apiId, stageName: stage } = endpoint;
    const ownApi = ownApiOf({ accountId: Stack.of(this).account, apiId, stage });
    this.function.lambda.addEnvironment(variables.ownApi, ownApi);
    this.accessLogs = endpoint.accessLogs;
    this.baseUrl = endpoint.baseUrl;
    this.invokeArn = endpoint.invokeArn('*', '/operations/*');
    this.routeArn = (route) => `${this.invokeArn.split('/')[0]}/*/${route}`;
  }
}
