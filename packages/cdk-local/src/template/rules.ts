import * as v from 'valibot';
import { type FunctionModel, findFunction, type Resource } from './resources.ts';
import { object, oneOf, TemplateError, text } from './schema.ts';

const texts = v.array(text, 'a list of texts');
const pattern = v.strictObject(
  { source: v.optional(texts), 'detail-type': v.optional(texts) },
  'a pattern of source and detail-type, each a list of texts',
);

export const ruleProperties = object({
  EventBusName: v.optional(text, 'default'),
  EventPattern: pattern,
  State: v.optional(oneOf('ENABLED')),
  Targets: v.optional(v.array(object({ Arn: text }), 'a list'), []),
});

export type RuleModel = ReturnType<typeof readRule>;

export function readRule(resource: Resource, functions: readonly FunctionModel[], buses: readonly string[]) {
  const { logicalId: name } = resource;
  const { EventBusName, EventPattern, Targets } = resource.read(ruleProperties);
  if (buses.length !== 1 || !buses.includes(EventBusName)) {
    throw new TemplateError(
      `${name}.EventBusName is "${EventBusName}"; cdk-local emulates the rules of a template with one bus.`,
    );
  }
  const where = `${name}.Targets.Arn`;
  const functionNames = Targets.map(({ Arn }) => findFunction(functions, Arn, where).name);
  return { name, pattern: EventPattern, functionNames };
}
