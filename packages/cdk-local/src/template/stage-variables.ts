import { stageProperties } from './log-groups.ts';
import type { Resource } from './resources.ts';
import { TemplateError } from './schema.ts';

const secretReference = /^\{\{resolve:secretsmanager:(arn:(?:[^:]*:){5}[^:]+)(?::SecretString)?:*\}\}$/;

/** A variable of a stage: its value, or the ARN of the secret whose current value it has. */
export interface StageVariable {
  readonly name: string;
  readonly value: string;
  readonly secretArn?: string;
}

export function readStageVariables(resource: Resource): readonly [apiId: string, readonly StageVariable[]] {
  const { ApiId, StageVariables } = resource.read(stageProperties);
  const variables = Object.entries(StageVariables).map(([name, value]): StageVariable => {
    const [, secretArn] = secretReference.exec(value) ?? [];
    if (secretArn !== undefined) return { name, value, secretArn };
    if (!value.includes('{{')) return { name, value };
    throw new TemplateError(
      `${resource.logicalId}.StageVariables.${name} is "${value}"; expected text, or a dynamic reference ` +
        'to a whole secret by its ARN.',
    );
  });
  return [ApiId, variables];
}
