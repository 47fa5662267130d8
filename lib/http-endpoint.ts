import { type Duration, SecretValue } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Metric, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { proofVariable } from '../lambdas/contract/own-api.ts';
import type { Configuration } from './configuration.ts';
import { metricsNamespaceOf } from './deployment-name.ts';
import type { Encryption } from './encryption.ts';
import type { NodeFunction } from './node-function.ts';
import type { StackSecret } from './stack-secret.ts';
import { StageLogs } from './stage-logs.ts';

/** One route of an API. */
export interface Route {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
}

export interface HttpEndpointProps {
  /** The name of the API in the AWS console. */
  readonly name: string;
  readonly handler: NodeFunction;
  /** All routes are explicit: an authorizer does not cover requests to a catch-all route. */
  readonly routes: readonly Route[];
  readonly authorizer: IHttpRouteAuthorizer;
  readonly requestsPerSecond: number;
  readonly burst: number;
  /**
   * Whether the API responds at its AWS address; it does by default. An omitted property keeps its last
   * value, so only `true` reverts a `false`.
   */
  readonly defaultEndpoint?: boolean | undefined;
  /** Logs who called which path, and keeps that for `accessLogRetentionDays`; needs IAM authorisation. */
  readonly recordsCallers?: true;
  /** Added to each event, so that the function knows what came through this API. */
  readonly proof?: StackSecret;
  readonly configuration: Configuration;
  readonly encryption: Encryption;
}

/**
 * The fields of an access log line: enough to find a request in the function's log and to see whose fault an
 * error is. Every webhook pays for its line, and CloudWatch adds the time. No headers and no bodies, because
 * they hold signatures and customer data.
 */
const accessLogLine = {
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  status: '$context.status',
  integrationError: '$context.integrationErrorMessage',
};

/**
 * Who read what: for routes with IAM authorisation. The path has the id of the order or event; query strings
 * are never logged. Whether a route returns payloads follows from `routeKey`, as in the query of the runbook,
 * because a stage has one format for all its routes.
 */
const callerFields = {
  requestTime: '$context.requestTime',
  routeKey: '$context.routeKey',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  error: '$context.error.message',
  caller: '$context.identity.userArn',
  callerAccount: '$context.identity.accountId',
  path: '$context.path',
};

/** `recordsCallers`: for routes with IAM authorisation. */
export const accessLogFormat = ({ recordsCallers }: { readonly recordsCallers?: true | undefined }): string =>
  JSON.stringify({ ...accessLogLine, ...(recordsCallers && callerFields) });

/** Not a header, which a caller can send. CloudFormation puts the value in the place of the name. */
export const proofVariables = ({ secretArn }: StackSecret): Record<string, string> => ({
  [proofVariable]: SecretValue.secretsManager(secretArn).unsafeUnwrap(),
});

/** An HTTP API in front of one function, with explicit routes, throttling and an access log. */
export class HttpEndpoint extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLogs: StageLogs;
  readonly #metricsNamespace: string;

  constructor(scope: Construct, id: string, props: HttpEndpointProps) {
    super(scope, id);
    this.#metricsNamespace = metricsNamespaceOf(this);
    this.api = new HttpApi(this, 'Api', {
      apiName: props.name,
      createDefaultStage: false,
      ...(props.defaultEndpoint !== undefined && { disableExecuteApiEndpoint: !props.defaultEndpoint }),
    });

    const integration = new HttpLambdaIntegration('Integration', props.handler.entry);
    const routes = props.routes.map(
      ({ id, path, method }) =>
        new HttpRoute(this, id, {
          httpApi: this.api,
          routeKey: HttpRouteKey.with(path, method),
          integration,
          authorizer: props.authorizer,
        }),
    );
    // Between function and alias, requests move once API Gateway may invoke the other; before, they get 500.
    const permissions = routes.map(({ node }) => node.findChild('Integration-Permission'));
    routes[0]?.node.findChild('Integration').node.addDependency(...permissions);

    const { configuration, encryption, recordsCallers } = props;
    const retention = recordsCallers ? configuration.accessLogRetentionDays : configuration.logRetentionDays;
    this.accessLogs = new StageLogs(this, 'AccessLogs', { configuration, encryption, retention });
    // The stage named $default serves the routes at the root of the address. It deploys automatically, so
    // switching off the default endpoint takes effect at once.
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      ...(props.proof && { stageVariables: proofVariables(props.proof) }),
      throttle: { rateLimit: props.requestsPerSecond, burstLimit: props.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(accessLogFormat({ recordsCallers })),
      },
    });
  }

  get apiId(): string {
    return this.api.apiId;
  }

  get stageName(): string {
    return this.stage.stageName;
  }

  /** The resource of `execute-api:Invoke`. */
  invokeArn(method: string, path: string): string {
    return this.api.arnForExecuteApi(method, path);
  }

  /** The AWS address without a trailing slash; throws when it is switched off. */
  get baseUrl(): string {
    return this.api.apiEndpoint;
  }

  /** Responses with a 5xx status, per five minutes. */
  serverErrors(): Metric {
    return this.api.metricServerError({ statistic: Stats.SUM });
  }

  /**
   * The metric of refusals, to which a filter of the access log adds requests that got 429. API Gateway's own
   * metric counts every 4xx, also the 404s of scanners.
   */
  refused(metricName: string, period: Duration): Metric {
    const filter = new MetricFilter(this, 'Throttled', {
      logGroup: this.accessLogs,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace: this.#metricsNamespace,
      metricName,
      // That of the functions: alarms over a metric with two units are not defined.
      unit: Unit.COUNT,
    });
    return filter.metric({ statistic: Stats.SUM, period });
  }
}
