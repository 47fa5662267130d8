/** What a template describes. A resource's name is its logical id. */
export interface StackModel {
  readonly stackName: string;
  readonly queues: readonly QueueModel[];
  readonly tables: readonly TableModel[];
  readonly secrets: readonly { readonly name: string; readonly arn: string }[];
  readonly functions: readonly FunctionModel[];
  readonly buses: readonly { readonly name: string }[];
  readonly mappings: readonly MappingModel[];
  readonly streamMappings: readonly StreamMappingModel[];
  readonly routes: readonly RouteModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly rotations: readonly RotationModel[];
  readonly alarms: readonly AlarmModel[];
  /** Without those that have no local counterpart. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface QueueModel {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  /** For CreateQueue; CloudFormation has the same names. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly deadLetterArn?: string;
}

/** The lists are for CreateTable; CloudFormation has the same shapes. */
export interface TableModel {
  readonly name: string;
  readonly keySchema: readonly unknown[];
  readonly attributeDefinitions: readonly unknown[];
  readonly globalIndexes: readonly unknown[];
  readonly localIndexes: readonly unknown[];
  readonly stream?: StreamModel;
}

export interface StreamModel {
  readonly arn: string;
  /** Which images of an item a record holds. */
  readonly viewType: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

export interface FunctionModel {
  readonly name: string;
  readonly arn: string;
  /** The folder with the bundled code. */
  readonly codeDirectory: string;
  /** `<file without extension>.<export>`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
}

interface BatchModel {
  readonly name: string;
  readonly functionName: string;
  readonly batchRecordsMax: number;
  readonly windowSeconds: number;
  /** Without it the function's response is not read: a batch succeeds unless the function throws. */
  readonly reportsItemFailures: boolean;
}

/** A queue that feeds a function. */
export interface MappingModel extends BatchModel {
  readonly queueArn: string;
  readonly concurrencyMax?: number;
}

/** A stream that feeds a function. */
export interface StreamMappingModel extends BatchModel {
  readonly streamArn: string;
  /** Batches at a time; the records of a partition key stay in order. */
  readonly parallelBatches: number;
  /** Whether a batch that fails as a whole is retried in halves. */
  readonly bisectsBatches: boolean;
  /** `Infinity`: until the records are too old. */
  readonly retriesMax: number;
  readonly recordAgeSecondsMax: number;
  /** Receives a message about the records that were discarded. */
  readonly failureQueueArn?: string;
}

export interface RouteModel {
  /** Such as `GET /orders/{order_id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly functionName: string;
  readonly authorization: string;
}

/** A function that is invoked at a fixed rate. */
export interface ScheduleModel {
  readonly name: string;
  readonly functionName: string;
  readonly intervalMilliseconds: number;
  /** The event, where the template sets it. */
  readonly input?: unknown;
}

/** The function that rotates a secret. */
export interface RotationModel {
  readonly secretArn: string;
  readonly functionName: string;
}

/** An alarm over metrics that the functions count, as sums over periods. */
export interface AlarmModel {
  /** Without the stack's name as a prefix. */
  readonly name: string;
  readonly description: string;
  /** Keys of the metrics that are added up; see `metricKey`. */
  readonly metrics: readonly string[];
  /** Whether a metric without a value counts as zero when another one has a value. */
  readonly fillsWithZero: boolean;
  readonly periodSeconds: number;
  readonly periods: number;
  /** How many of the periods put it into alarm. */
  readonly breachingPeriods: number;
  readonly comparison: (typeof comparisons)[number];
  readonly threshold: number;
  readonly missing: (typeof missingTreatments)[number];
}

export const comparisons = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanOrEqualToThreshold',
  'LessThanThreshold',
] as const;

export const missingTreatments = ['breaching', 'notBreaching', 'ignore', 'missing'] as const;
