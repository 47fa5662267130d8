/** What can happen to a request of the AWS SDK. */
export const faultKinds = [
  /** The error of a service that throttles its caller. Nothing is carried out. */
  'throttle',
  /** An internal error of the service. Nothing is carried out. */
  'error-500',
  /** The service is unavailable. Nothing is carried out. */
  'error-503',
  /** The connection is reset, and nothing is carried out. */
  'reset-before',
  /** The request is carried out, and the connection is reset instead of a response. */
  'reset-after',
  /** The request is carried out, and no response ever comes. */
  'timeout',
  /** The request is carried out, and the response comes late. */
  'slow',
  /** Every second entry of a batch is not carried out, and the response names those. Other requests pass. */
  'partial',
  /** The request is carried out, and the response breaks off in the middle of its JSON. */
  'malformed',
  /**
   * The request is carried out twice, and the response is the second one: a conditional write fails by its
   * own first attempt, whose response was lost.
   */
  'repeated',
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface ErrorResponse {
  readonly status: number;
  /** The SDK makes its exception from it, such as `InternalServerError`. */
  readonly code: string;
}

type Refusal = 'throttle' | 'error-500' | 'error-503';

const errorCodes: Readonly<Record<string, Partial<Readonly<Record<Refusal, string>>>>> = {
  DynamoDB_20120810: { throttle: 'ProvisionedThroughputExceededException' },
  AmazonSQS: { throttle: 'RequestThrottled', 'error-500': 'InternalFailure' },
  secretsmanager: { 'error-500': 'InternalServiceError' },
  AWSEvents: { 'error-500': 'InternalException' },
};
const anyService: Readonly<Record<Refusal, ErrorResponse>> = {
  throttle: { status: 400, code: 'ThrottlingException' },
  'error-500': { status: 500, code: 'InternalServerError' },
  'error-503': { status: 503, code: 'ServiceUnavailable' },
};

/** The error that a service responds with; `target` is the part of `x-amz-target` before the operation. */
export function refusalOf(kind: FaultKind, target: string): ErrorResponse | undefined {
  if (kind !== 'throttle' && kind !== 'error-500' && kind !== 'error-503') return undefined;
  const { status, code } = anyService[kind];
  return { status, code: errorCodes[target]?.[kind] ?? code };
}
