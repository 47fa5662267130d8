import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { deploymentNameOf } from './deployment-name.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { createIamEndpoint } from './private-endpoint.ts';
import { sequenceVariables } from './row-variables.ts';
import type { StageLogs } from './stage-logs.ts';
import type { Tables } from './tables.ts';

export interface OrderQueryProps extends StageProps {
  readonly tables: Tables;
}

/** The read-only API of order systems in the same account: what happened to an order, and why. */
export class OrderQuery extends Construct {
  readonly baseUrl: string;
  /** The resource of `execute-api:Invoke` in the identity policy of an order system. */
  readonly invokeArn: string;
  readonly #orderArn: string;
  readonly function: NodeFunction;
  readonly accessLogs: StageLogs;

  constructor(scope: Construct, id: string, props: OrderQueryProps) {
    super(scope, id);
    const { configuration, encryption, tables } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'order-query',
      description: 'Returns what happened to an order and why.',
      timeoutSeconds: limits.orderQueryTimeoutSeconds,
      memoryMegabytes: limits.orderQueryMemoryMegabytes,
      environment: {
        [variables.eventsTableName]: tables.events.tableName,
        [variables.ordersTableName]: tables.orders.tableName,
        ...sequenceVariables(configuration),
        ...(!configuration.transactionRows && { [variables.noTransactionRows]: 'true' }),
        ...(!configuration.changesIndex && { [variables.noChangesIndex]: 'true' }),
      },
      configuration,
      encryption,
    });
    tables.grantQuery(this.function);

    const endpoint = createIamEndpoint(this, 'Endpoint', {
      name: `${deploymentNameOf(this)} order query`,
      handler: this.function,
      routes: [
        { id: 'GetOrders', method: HttpMethod.GET, path: '/orders' },
        { id: 'GetOrder', method: HttpMethod.GET, path: '/orders/{order_id}' },
        { id: 'GetOrderEvents', method: HttpMethod.GET, path: '/orders/{order_id}/events' },
        { id: 'GetEvent', method: HttpMethod.GET, path: '/events/{event_id}' },
        { id: 'GetTransaction', method: HttpMethod.GET, path: '/transactions/{transaction_id}' },
      ],
      requestsPerSecond: limits.orderQueryRequestsPerSecond,
      burst: limits.orderQueryBurst,
      configuration,
      encryption,
    });
    this.accessLogs = endpoint.accessLogs;
    this.baseUrl = endpoint.baseUrl;
    this.invokeArn = endpoint.invokeArn('GET', '/*');
    this.#orderArn = endpoint.invokeArn('GET', '/orders/*');
  }

  /** Lets a stage read orders as an order system does. */
  grantReadOrder(grantee: NodeFunction): void {
    Grant.addToPrincipal({ grantee, actions: ['execute-api:Invoke'], resourceArns: [this.#orderArn] });
  }
}
