/** What a deployment costs by the month, whether anything happens or not, as its template lists it. */
export interface StackInventory {
  readonly alarms: number;
  /** Each alarm bills every metric that it looks at. */
  readonly alarmMetrics: number;
  readonly secrets: number;
  readonly encryptionKeys: number;
  /** Queues that Lambda polls. */
  readonly polledQueues: number;
  readonly tables: number;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export function readInventory(template: unknown): StackInventory {
  const { Resources } = template as { readonly Resources: Readonly<Record<string, Resource>> };
  const ofType = (type: string): Resource[] => Object.values(Resources).filter(({ Type }) => Type === type);
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const scalings = ofType('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties?.['StartingPosition'] === undefined,
  );
  return {
    alarms: alarms.length,
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + metricsOf(Properties), 0),
    secrets: ofType('AWS::SecretsManager::Secret').length,
    encryptionKeys: ofType('AWS::KMS::Key').length,
    polledQueues: scalings.length,
    tables: ofType('AWS::DynamoDB::Table').length,
  };
}

/** An alarm over an expression lists metrics and the expression; only metrics have a statistic, and a price. */
function metricsOf(properties: Resource['Properties'] = {}): number {
  const metrics = properties['Metrics'] as readonly { readonly MetricStat?: unknown }[] | undefined;
  return metrics === undefined ? 1 : metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}
