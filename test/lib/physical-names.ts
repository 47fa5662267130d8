import type { Synthesis } from './synthesis.ts';

/**
 * Types whose physical name is in the property `Name`; elsewhere it is in `QueueName`, `TableName` and so on. That
 * of a statement of a bus is its id: a second stack with it fails with "already exists in stack" (aws-cdk 29627).
 */
const named = [
  'AWS::Events::EventBus',
  'AWS::SSM::Parameter',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
];
const physicalName = new RegExp(
  '^((Alarm|Archive|Bucket|Dashboard|Function|LogGroup|ManagedPolicy|Queue|Role|Table|Topic)Name' +
    '|KeyAlias|StatementId)$',
);

/** Every physical name that a stack sets, as "type name"; such names are unique in an account and region. */
export function namesIn(stack: Synthesis): string[] {
  return [...stack.resources.values()].flatMap(({ Type, Properties = {} }) =>
    Object.entries(Properties)
      .filter(([property]) => physicalName.test(property) || (property === 'Name' && named.includes(Type)))
      .filter(([, value]) => typeof value === 'string')
      .map(([, value]) => `${Type} ${value}`),
  );
}

/** The namespaces of our metrics: of functions, alarms and metric filters. AWS has a slash in those of its own. */
export function namespacesIn({ resources }: Synthesis): string[] {
  const texts = JSON.stringify([...resources]).matchAll(
    /Namespace"?:"(?!AWS\/)([^"]+)"|NAMESPACE":"([^"]+)"/g,
  );
  return [...new Set([...texts].map(([, filter, variable]) => `${filter ?? variable}`))];
}
