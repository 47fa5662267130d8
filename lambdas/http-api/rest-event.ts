import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';

/** What API Gateway sends for a request: private APIs are REST APIs, with another format of events. */
export type ApiEvent = APIGatewayProxyEventV2 | APIGatewayProxyEvent;

/** The event of a REST API (payload format 1.0) in the form of an HTTP API (2.0), as far as it is read. */
export function asHttpApiEvent(event: ApiEvent): APIGatewayProxyEventV2 {
  if (!('resource' in event)) return event;
  const { httpMethod, resource, requestContext, body, isBase64Encoded } = event;
  const { userArn } = requestContext?.identity ?? {};
  return {
    routeKey: `${httpMethod} ${resource}`,
    pathParameters: event.pathParameters ?? {},
    queryStringParameters: event.queryStringParameters ?? {},
    stageVariables: event.stageVariables ?? {},
    requestContext: { ...requestContext, ...(userArn && { authorizer: { iam: { userArn } } }) },
    ...(body !== null && { body }),
    isBase64Encoded,
  } as unknown as APIGatewayProxyEventV2;
}
