/** What local mode runs, as the template says it. A resource's name is its logical id. */
export interface StackModel {
  readonly queues: readonly QueueModel[];
  readonly tables: readonly TableModel[];
  readonly secrets: readonly SecretModel[];
  readonly functions: readonly FunctionModel[];
  readonly mappings: readonly MappingModel[];
  readonly routes: readonly RouteModel[];
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
}

export interface SecretModel {
  readonly name: string;
  readonly arn: string;
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

export interface MappingModel {
  readonly name: string;
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchRecordsMax: number;
  readonly windowSeconds: number;
  /** Without it the function's answer is not read, and whatever does not throw is deleted. */
  readonly reportsItemFailures: boolean;
  readonly concurrencyMax?: number;
}

export interface RouteModel {
  /** As the template writes it: `GET /orders/{order_id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly functionName: string;
  readonly authorization: string;
}
