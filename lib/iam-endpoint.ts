import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Construct } from 'constructs';
import { HttpEndpoint, type HttpEndpointProps } from './http-endpoint.ts';
import { PrivateEndpoint } from './private-endpoint.ts';

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
