import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Variable, variables } from '../lambdas/contract/environment.ts';
import type { MetricName } from '../lambdas/contract/metrics.ts';
import type { Configuration } from './configuration.ts';
import { leanBundle } from './lean-bundle.ts';
import { StageLogs } from './stage-logs.ts';

export interface NodeFunctionProps {
  /** The folder in `lambdas/`; also the service that the function's logs and metrics carry. */
  readonly stage: 'verifier' | 'consumer' | 'order-query' | 'order-feed' | 'webhook-audit' | 'token-refresh';
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Partial<Record<Variable, string>>>;
  readonly configuration: Configuration;
}

/**
 * The one kind of function there is here: lean, on arm64, and permitted nothing but its own log until told.
 */
export class NodeFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;
  readonly logs: StageLogs;
  readonly #metricsNamespace: string;
  readonly #stage: string;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    super(scope, id);
    this.#stage = props.stage;
    this.#metricsNamespace = `payhooks/${props.configuration.environmentName}`;
    this.logs = new StageLogs(this, 'Logs', props.configuration);

    // A role of its own, as the one that CDK would make may write to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logs.grantWrite(this.role);

    this.lambda = new LambdaFunction(this, 'Lambda', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: leanBundle(props.stage),
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMegabytes,
      role: this.role,
      logGroup: this.logs,
      environment: {
        ...props.environment,
        [variables.serviceName]: this.#stage,
        [variables.metricsNamespace]: this.#metricsNamespace,
      },
    });
  }

  /**
   * Permits exactly these actions on exactly this resource. CDK's `grant…` methods permit more verbs than a
   * stage uses, and on a table with an index also the whole index.
   */
  allow(actions: readonly string[], resourceArn: string, conditions: Conditions = {}): void {
    this.role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [resourceArn], conditions }),
    );
  }

  /** How often the function counted `metricName`, per five minutes unless told otherwise. */
  counted(metricName: MetricName, period: Duration = Duration.minutes(5)): Metric {
    return new Metric({
      namespace: this.#metricsNamespace,
      metricName,
      // Powertools names the service in every metric.
      dimensionsMap: { service: this.#stage },
      statistic: Stats.SUM,
      period,
    });
  }
}
