import { Names, Stack, Token } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { addressOf } from '../lambdas/contract/deployment-address.ts';
import { ConfigurationError, problemOf } from './configuration.ts';

/** The context in which the parts of a deployment find the name and the prefix that it has. */
const contextKey = 'payhooks:deployment';

interface Named {
  readonly name: string;
  readonly prefix: string;
}

/** The archive of a bus has a name of 48 characters at most. */
const charactersMax = 48;

/**
 * Names a deployment, before it has parts: as its app says, or as its stack if it is the whole stack, or
 * else by its path. No other deployment in the account and region may have that name. Physical names begin
 * with it, and the command line finds alarms by it. Throws a `ConfigurationError` for a name that AWS would
 * refuse.
 */
export function nameDeployment(deployment: Construct, given?: string): string {
  const name = given ?? defaultNameOf(deployment);
  // SSM reserves two prefixes.
  const pattern = /^(?!aws|ssm)[A-Z][A-Z0-9-]*$/i;
  if (Token.isUnresolved(name) || !pattern.test(name) || name.length > charactersMax) {
    const rest = `up to ${charactersMax - 1} letters, digits and -, and not aws or ssm at the beginning`;
    const expected = `a text that is known at synthesis: a letter, then ${rest}`;
    throw new ConfigurationError([problemOf('deploymentName', name, expected)]);
  }
  const place = placeOf(deployment);
  const hasName = (one: IConstruct) =>
    one.node.tryGetContext(contextKey)?.name === name && placeOf(one) === place;
  const owner = deployment.node.root.node.findAll().find(hasName);
  if (owner !== undefined) {
    const expected = `another name than that of ${owner.node.path}`;
    throw new ConfigurationError([problemOf('deploymentName', name, expected)]);
  }
  deployment.node.setContext(contextKey, { name, prefix: pathInStackOf(deployment) } satisfies Named);
  return name;
}

/** The account and the region of a part, as far as they are known, or else its stack. */
function placeOf({ node }: IConstruct): string | undefined {
  const stack = node.scopes.find(Stack.isStack);
  return stack?.environment.includes('unknown-') ? stack.node.path : stack?.environment;
}

function defaultNameOf(deployment: Construct): string {
  const stack = Stack.of(deployment);
  const isWhole = pathInStackOf(deployment) === '';
  const fits = !Token.isUnresolved(stack.stackName) && stack.stackName.length <= charactersMax;
  return isWhole && fits
    ? stack.stackName
    : Names.uniqueResourceName(deployment, { maxLength: charactersMax, separator: '-' });
}

/** What logical ids in a stack begin with. CDK leaves out `Default`, and an id that the last ends with. */
export const pathInStackOf = ({ node }: Construct): string =>
  node.scopes
    .slice(node.scopes.findLastIndex(Stack.isStack) + 1)
    .map((scope) => scope.node.id)
    .filter((id) => id !== 'Default')
    .reduce<string[]>((kept, id) => (kept.at(-1)?.endsWith(id) ? kept : kept.concat(id)), [])
    .map((id) => id.replace(/[^A-Za-z0-9]/g, ''))
    .join('');

const namedOf = ({ node }: Construct): Named => node.getContext(contextKey);

/** The name of the deployment that this is a part of. */
export const deploymentNameOf = (part: Construct): string => namedOf(part).name;

/** What its outputs begin with: nothing, if the deployment is the whole stack. */
export const outputPrefixOf = (part: Construct): string => namedOf(part).prefix;

/** What the command line takes as `--stack`. */
export const deploymentAddressOf = (part: Construct): string =>
  addressOf({ name: Stack.of(part).stackName, id: namedOf(part).prefix });

/**
 * The namespace of the metrics of a deployment. In a namespace of two, such as that of an environment, the
 * heartbeats of one deployment would keep the alarm of the other silent. No other name contains a slash.
 */
export const metricsNamespaceOf = (part: Construct): string =>
  deploymentNameOf(part).replace(/^payhooks-/, 'payhooks/');
