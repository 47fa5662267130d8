import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type IGrantable, type IPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Variable, variables } from '../lambdas/contract/environment.ts';
import { functionMemoryMegabytes } from '../lambdas/contract/limits.ts';
import type { MetricName } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { metricsNamespaceOf } from './deployment-name.ts';
import type { Encryption } from './encryption.ts';
import { leanBundle } from './lean-bundle.ts';
import { connect } from './network.ts';
import { StageLogs, type StageLogsProps } from './stage-logs.ts';

/** What the constructs of all stages are made from. */
export interface StageProps {
  readonly configuration: Configuration;
  readonly encryption: Encryption;
  readonly alarms: Alarms;
}

export interface NodeFunctionProps {
  /** The folder in `lambdas/`, and the service name in the function's logs and metrics. */
  readonly stage:
    | 'verifier'
    | 'consumer'
    | 'order-query'
    | 'operations'
    | 'order-feed'
    | 'webhook-audit'
    | 'token-refresh'
    | 'seal'
    | 'waiting-count'
    | 'heartbeat'
    | 'heartbeat-return'
    | 'self-check';
  readonly description: string;
  readonly timeoutSeconds: number;
  /** `functionMemoryMegabytes` by default. */
  readonly memoryMegabytes?: number;
  readonly environment: Readonly<Partial<Record<Variable, string>>>;
  readonly configuration: Configuration;
  readonly encryption: Encryption;
  readonly logs?: Pick<StageLogsProps, 'retention' | 'isProtected'>;
  /** Executions of the account's concurrency that only this function uses; it gets no more. */
  readonly reservedConcurrency?: number | undefined;
  /** Execution environments that are ready before a request comes. */
  readonly provisionedConcurrency?: number | undefined;
  /** Whether deployments move calls to another version step by step. */
  readonly isRolledOut?: boolean;
}

/**
 * Without START, END and REPORT for every invocation; Lambda still logs one that fails or times out. The
 * functions choose their own lines by `logLevel`: Lambda's filter drops lines without a level, and the
 * embedded metrics have none.
 */
const loggingOf = ({ logLevel }: Configuration) => ({
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: logLevel === 'info' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
});

/**
 * The only kind of function in the stack: a lean bundle on arm64, permitted nothing but its own log until
 * another construct grants more. Those constructs grant single actions with `Grant.addToPrincipal`, because
 * the `grant…` methods of CDK's own resources permit more actions than a stage uses, and on a table also all
 * of its indexes.
 */
export class NodeFunction extends Construct implements IGrantable {
  readonly lambda: LambdaFunction;
  /** What an API or a queue invokes: the function, or its alias. */
  readonly entry: IFunction;
  /** With provisioned concurrency, or a rollout in steps. */
  readonly alias: Alias | undefined;
  readonly role: Role;
  readonly grantPrincipal: IPrincipal;
  readonly logs: StageLogs;
  readonly #metricsNamespace: string;
  readonly stage: NodeFunctionProps['stage'];

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    super(scope, id);
    this.stage = props.stage;
    this.#metricsNamespace = metricsNamespaceOf(this);
    this.logs = new StageLogs(this, 'Logs', { ...props, ...props.logs });

    // CDK's default role may write to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.grantPrincipal = this.role;
    this.logs.grantWrite(this);

    this.lambda = new LambdaFunction(this, 'Lambda', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: leanBundle(props.stage),
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMegabytes ?? functionMemoryMegabytes,
      role: this.role,
      logGroup: this.logs,
      ...loggingOf(props.configuration),
      ...props.encryption.as('environmentEncryption'),
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      environment: {
        ...props.environment,
        [variables.logLevel]: props.configuration.logLevel,
        [variables.serviceName]: this.stage,
        [variables.metricsNamespace]: this.#metricsNamespace,
      },
    });
    connect(this.lambda, this.role, props.configuration);
    this.alias = this.#createAlias(props);
    // The casts: CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
    this.entry = (this.alias ?? this.lambda) as IFunction;
  }

  #createAlias({ provisionedConcurrency, isRolledOut }: NodeFunctionProps): Alias | undefined {
    if (provisionedConcurrency === undefined && !isRolledOut) return undefined;
    // A deployment of other code or variables makes a new version.
    const version = this.lambda.currentVersion as IVersion;
    const prepared = provisionedConcurrency && { provisionedConcurrentExecutions: provisionedConcurrency };
    return new Alias(this, 'Alias', { aliasName: 'live', version, ...prepared });
  }

  /** How often the function counted `metricName`; five minutes is the default period. */
  metric(metricName: MetricName, period: Duration = Duration.minutes(5)): Metric {
    return this.#metric(metricName, { period, statistic: Stats.SUM });
  }

  /** The highest value of `metricName` in a period; five minutes is the default. */
  highest(metricName: MetricName, period: Duration = Duration.minutes(5)): Metric {
    return this.#metric(metricName, { period, statistic: Stats.MAXIMUM });
  }

  #metric(metricName: MetricName, options: MetricOptions): Metric {
    return new Metric({
      namespace: this.#metricsNamespace,
      metricName,
      // The telemetry of the functions names the service in every metric.
      dimensionsMap: { service: this.stage },
      ...options,
    });
  }
}
