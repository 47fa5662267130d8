import { asObject, asText } from './intrinsics.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The template with the local base URL in place of the URL of each custom domain. Otherwise a function that
 * registers or calls its own URL would reach a deployment from here.
 */
export function withoutCustomDomains(template: unknown, baseUrl: string): unknown {
  const resources = Object.entries(asObject(asObject(template, 'The template')['Resources'], 'Resources'));
  const names = resources
    .map(([id, resource]): readonly [string, Fields] => [id, asObject(resource, id)])
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::DomainName')
    .map(([id, { Properties = {} }]) => {
      const properties = asObject(Properties, `${id}.Properties`);
      return asText(properties['DomainName'], `${id}.DomainName`);
    });
  const prefixes = names.map((name) => `https://${name}/`);
  if (prefixes.length === 0) return template;
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const prefix = prefixes.find((one) => value.startsWith(one));
      return prefix === undefined ? value : `${baseUrl}/${value.slice(prefix.length)}`;
    }
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]));
  };
  return replace(template);
}
