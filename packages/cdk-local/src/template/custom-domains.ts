import { asObject, asText } from './intrinsics.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The template with this machine's address in the place of `https://` and each custom domain. On AWS the
 * domain leads to the webhook API; from here it would lead to a deployment, with what local mode registers
 * and sends.
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
