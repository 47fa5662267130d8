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
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { NodeFunction } from './node-function.ts';
import { StageLogs } from './stage-logs.ts';

/** One thing that can be asked of an API. */
export interface Route {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
}

export interface HttpEndpointProps {
  /** What the API is called in the console. */
  readonly name: string;
  readonly handler: NodeFunction;
  /** Every request that the API answers. A catch-all would also take those that no authoriser covers. */
  readonly routes: readonly Route[];
  readonly authorizer: IHttpRouteAuthorizer;
  readonly requestsPerSecond: number;
  readonly burst: number;
  /**
   * Whether the address that API Gateway gives the API answers. It does at first; what is not said is not
   * changed either: `true` takes a `false` back, and nothing does not.
   */
  readonly defaultEndpoint?: boolean | undefined;
  readonly configuration: Configuration;
}

/**
 * What a line of the access log holds: enough to follow a request and to see who is at fault. Neither headers
 * nor bodies, which hold signatures and customer data.
 */
const accessLogLine = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
};

/** An HTTP API in front of one function, with explicit routes, throttling and an access log. */
export class HttpEndpoint extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLogs: StageLogs;

  constructor(scope: Construct, id: string, props: HttpEndpointProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: props.name,
      createDefaultStage: false,
      ...(props.defaultEndpoint !== undefined && { disableExecuteApiEndpoint: !props.defaultEndpoint }),
    });

    const integration = new HttpLambdaIntegration('Integration', props.handler.lambda);
    for (const route of props.routes) {
      new HttpRoute(this, route.id, {
        httpApi: this.api,
        routeKey: HttpRouteKey.with(route.path, route.method),
        integration,
        authorizer: props.authorizer,
      });
    }

    this.accessLogs = new StageLogs(this, 'AccessLogs', props.configuration);
    // The stage named $default serves the routes at the root of the address. As it deploys by itself, a
    // default endpoint that is switched off is off at once.
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: props.requestsPerSecond, burstLimit: props.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
    });
  }

  /** The address that API Gateway gives, without a slash at its end; throws where it is switched off. */
  get baseUrl(): string {
    return this.api.apiEndpoint;
  }

  /** Answers with a 5xx status, per five minutes. */
  serverErrors(): Metric {
    return this.api.metricServerError({ statistic: Stats.SUM });
  }
}
