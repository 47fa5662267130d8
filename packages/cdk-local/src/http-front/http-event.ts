import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { account, callerArn, credentials } from '../account.ts';
import type { RouteMatch } from './routes.ts';

export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly match: RouteMatch;
  readonly requestId: string;
  readonly stageVariables?: Readonly<Record<string, string>>;
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The event that an HTTP API (payload format 2.0) makes of a request. Throws a `URIError` when the query is
 * not well percent-encoded.
 */
export function createHttpEvent(request: ReceivedRequest): APIGatewayProxyEventV2 {
  const { message, match, rawPath, rawQueryString, body, stageVariables = {} } = request;
  const headers = joinHeaders(message.rawHeaders);
  const isText = passesAsText(headers['content-type']);
  const query = readQuery(rawQueryString);
  return {
    version: '2.0',
    routeKey: match.route.key,
    rawPath,
    rawQueryString,
    headers: {
      ...headers,
      'x-amzn-trace-id': `Root=1-${Math.floor(request.now / 1000).toString(16)}-${hexId().slice(0, 24)}`,
      'x-forwarded-for': message.socket.remoteAddress ?? '',
      'x-forwarded-port': String(message.socket.localPort ?? ''),
      'x-forwarded-proto': 'http',
    },
    ...(Object.keys(query).length === 0 ? {} : { queryStringParameters: query }),
    ...(Object.keys(stageVariables).length === 0 ? {} : { stageVariables: { ...stageVariables } }),
    requestContext: requestContext(request, headers),
    ...(Object.keys(match.pathParameters).length === 0 ? {} : { pathParameters: match.pathParameters }),
    // An empty body has no key.
    ...(body.byteLength === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.byteLength > 0 && !isText,
  };
}

/** Only these media types reach a function as text; everything else, even no media type, is base64. */
function passesAsText(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^(text\/.+|application\/(json|xml|javascript))$/.test(mediaType);
}

/** The values of repeated names joined by commas. */
function joinValues(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const joined = Object.entries(Object.groupBy(pairs, ([name]) => name)).map(
    ([name, all = []]) => [name, all.map(([, value]) => value).join(',')] as const,
  );
  return Object.fromEntries(joined);
}

/** Header names in lower case, repeated headers joined by commas. */
const joinHeaders = (raw: readonly string[]): Record<string, string> =>
  joinValues(
    raw.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as const] : [],
    ),
  );

/** Decoded once. */
function readQuery(rawQueryString: string): Record<string, string> {
  const pairs = rawQueryString.split('&').filter(Boolean);
  return joinValues(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return [decodeQueryPart(name), decodeQueryPart(rest.join('='))];
    }),
  );
}

const decodeQueryPart = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));

function requestContext(
  { message, match, requestId, rawPath, now }: ReceivedRequest,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyEventV2['requestContext'] {
  const host = headers['host'] ?? '';
  return {
    accountId: account,
    ...(match.route.authorization === 'AWS_IAM' ? { authorizer: { iam: identity } } : {}),
    apiId: match.route.apiId,
    domainName: host.replace(/:\d+$/, ''),
    domainPrefix: host.split('.')[0] ?? '',
    http: {
      method: message.method ?? '',
      path: rawPath,
      protocol: `HTTP/${message.httpVersion}`,
      sourceIp: message.socket.remoteAddress ?? '',
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: match.route.key,
    stage: '$default',
    time: new Date(now).toUTCString(),
    timeEpoch: now,
  };
}

/** No signature is checked here, so every caller is the same user. */
const identity = {
  accessKey: credentials.accessKeyId,
  accountId: account,
  callerId: 'local',
  cognitoIdentity: null,
  principalOrgId: null,
  userArn: callerArn,
  userId: 'local',
};

const hexId = (): string => randomUUID().replaceAll('-', '');

export const createRequestId = (): string => hexId().slice(0, 16);
