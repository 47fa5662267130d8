/** What local mode runs, as the template says it. A resource's name is its logical id. */
export interface StackModel {
  readonly queues: readonly QueueModel[];
  readonly tables: readonly TableModel[];
  readonly secrets: readonly SecretModel[];
  readonly functions: readonly FunctionModel[];
  readonly buses: readonly BusModel[];
  readonly mappings: readonly MappingModel[];
  readonly streamMappings: readonly StreamMappingModel[];
  readonly routes: readonly RouteModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly rotations: readonly RotationModel[];
  readonly alarms: readonly AlarmModel[];
  /** The outputs that this machine has something for. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface QueueModel {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  /** As CreateQueue takes them; CloudFormation has the same names. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly deadLetterArn?: string;
}

/** The lists are as CreateTable takes them; CloudFormation has the same shapes. */
export interface TableModel {
  readonly name: string;
  readonly keySchema: readonly unknown[];
  readonly attributeDefinitions: readonly unknown[];
  readonly globalIndexes: readonly unknown[];
  readonly localIndexes: readonly unknown[];
  readonly stream?: StreamModel;
}

export const streamViewTypes = ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'] as const;

export interface StreamModel {
  readonly arn: string;
  /** Which images of an item a record holds. */
  readonly viewType: (typeof streamViewTypes)[number];
}

export interface SecretModel {
  readonly name: string;
  readonly arn: string;
}

export interface BusModel {
  readonly name: string;
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
  /** Without it the function's answer is not read, and whatever does not throw is done. */
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
  /** Batches at one time; those of one partition key follow each other. */
  readonly parallelBatches: number;
  /** Whether a batch that fails as a whole is tried again in halves. */
  readonly bisectsBatches: boolean;
  /** `Infinity`: until they are too old. */
  readonly retriesMax: number;
  readonly recordAgeSecondsMax: number;
  /** The queue that is told of the records that were given up on. */
  readonly failureQueueArn?: string;
}

export interface RouteModel {
  /** As the template writes it: `GET /orders/{order_id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly functionName: string;
  readonly authorization: string;
}

/** A function that is invoked again and again. */
export interface ScheduleModel {
  readonly name: string;
  readonly functionName: string;
  readonly intervalMilliseconds: number;
  /** What the function gets, where the template says it. */
  readonly input?: unknown;
}

/** The function that gives a secret its next value. */
export interface RotationModel {
  readonly secretArn: string;
  readonly functionName: string;
}

/** An alarm over metrics that the functions count, as sums over periods. */
export interface AlarmModel {
  /** Without the name of the stack before it. */
  readonly name: string;
  /** One sentence: what has happened when it rings. */
  readonly meaning: string;
  /** The keys of the metrics that are added up; see `metricKey`. */
  readonly metrics: readonly string[];
  /** Whether one that was not counted is a zero beside those that were. */
  readonly fillsWithZero: boolean;
  readonly periodSeconds: number;
  readonly periods: number;
  /** How many of the periods make it ring. */
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
