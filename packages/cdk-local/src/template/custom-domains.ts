import { object, parse, type TemplateParts, text } from './schema.ts';

export const domainProperties = object({ DomainName: text });

/**
 * The template with the local base URL in place of the URL of each custom domain. Otherwise a function that
 * registers or calls its own URL would reach a deployment from here.
 */
export function withoutCustomDomains(template: TemplateParts, baseUrl: string): TemplateParts {
  const prefixes = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::DomainName')
    .map(([id, { Properties }]) => `https://${parse(domainProperties, Properties, id).DomainName}/`);
  if (prefixes.length === 0) return template;
  return JSON.parse(JSON.stringify(template), (_, value: unknown) => {
    const prefix = typeof value === 'string' ? prefixes.find((one) => value.startsWith(one)) : undefined;
    return prefix === undefined ? value : `${baseUrl}/${String(value).slice(prefix.length)}`;
  }) as TemplateParts;
}
