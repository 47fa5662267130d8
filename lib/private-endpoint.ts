import { Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { accessLogFormat, HttpEndpoint, type HttpEndpointProps, proofVariables } from './http-endpoint.ts';
import { StageLogs } from './stage-logs.ts';

/** An API that IAM authorises, for callers of the account: public, or private with `privateEndpointIds`. */
export function createIamEndpoint(
  scope: Construct,
  id: string,
  given: Omit<HttpEndpointProps, 'authorizer' | 'recordsCallers' | 'defaultEndpoint'>,
): HttpEndpoint | PrivateEndpoint {
  const props = { ...given, authorizer: new HttpIamAuthorizer(), recordsCallers: true } as const;
  const { privateEndpointIds } = given.configuration;
  return privateEndpointIds === undefined
    ? new HttpEndpoint(scope, id, props)
    : new PrivateEndpoint(scope, id, props, privateEndpointIds);
}

/** Part of every address, and of what callers sign. */
const stageName = 'v1';

/**
 * A private REST API in front of one function: only the VPC endpoints of the settings reach it, and IAM
 * authorises each request. HTTP APIs are always public.
 */
export class PrivateEndpoint extends Construct {
  readonly apiId: string;
  readonly stageName = stageName;
  readonly accessLogs: StageLogs;
  readonly baseUrl: string;
  readonly #api: RestApi;

  constructor(scope: Construct, id: string, props: HttpEndpointProps, endpointIds: readonly string[]) {
    super(scope, id);
    const { configuration, encryption } = props;
    const retention = configuration.accessLogRetentionDays;
    this.accessLogs = new StageLogs(this, 'AccessLogs', { configuration, encryption, retention });
    this.#api = new RestApi(this, 'Api', {
      restApiName: props.name,
      cloudWatchRole: false,
      endpointConfiguration: {
        types: [EndpointType.PRIVATE],
        vpcEndpoints: endpointIds.map((vpcEndpointId, index) =>
          InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(this, `Endpoint${index}`, {
            vpcEndpointId,
            port: 443,
          }),
        ),
      },
      policy: onlyThrough(endpointIds),
      deployOptions: {
        stageName,
        throttlingRateLimit: props.requestsPerSecond,
        throttlingBurstLimit: props.burst,
        accessLogDestination: new LogGroupLogDestination(this.accessLogs),
        accessLogFormat: AccessLogFormat.custom(accessLogFormat({ recordsCallers: true })),
        ...(props.proof && { variables: proofVariables(props.proof) }),
      },
    });
    const integration = new LambdaIntegration(props.handler.entry, { allowTestInvoke: false });
    for (const { method, path } of props.routes)
      this.#api.root
        .resourceForPath(path)
        .addMethod(method, integration, { authorizationType: AuthorizationType.IAM });
    const { region, urlSuffix } = Stack.of(this);
    this.apiId = this.#api.restApiId;
    this.baseUrl = `https://${this.apiId}-${endpointIds[0]}.execute-api.${region}.${urlSuffix}/${stageName}`;
  }

  invokeArn(method: string, path: string): string {
    return this.#api.arnForExecuteApi(method, path, stageName);
  }
}

/** It permits nothing by itself: an identity still needs a policy of its own. */
const onlyThrough = (endpointIds: readonly string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['execute-api:Invoke'],
        resources: ['execute-api:/*'],
        conditions: { StringNotEquals: { 'aws:SourceVpce': endpointIds } },
      }),
    ],
  });
