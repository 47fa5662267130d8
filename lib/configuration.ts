import * as v from 'valibot';
import { nearestName } from './did-you-mean.ts';
import { isObject } from './event-meanings.ts';
import { contradictions, type DeploymentTarget } from './setting-combinations.ts';
import { environmentNameSchema } from './setting-values.ts';
import { type SettingName, type Settings, settingSchemas } from './settings.ts';

/** Everything that a deployment is made from. */
export interface Configuration extends Settings {
  readonly sequenceBase: number;
}

/** That of an environment in cdk.json. */
export interface EnvironmentConfiguration extends Configuration {
  readonly environmentName: string;
}

/** All wrong settings at once, so that one attempt is enough to fix them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[], advice = whereSettingsAre) {
    const list = problems.map((problem) => `  - ${problem}\n`).join('');
    super(`The configuration is not valid:\n${list}${advice}`);
    this.problems = problems;
  }
}

const whereSettingsAre =
  'Settings are read from context.environments.<environmentName> in cdk.json; ' +
  '`-c setting=value` overrides them for one command.';

/** What is wrong with a setting, for a `ConfigurationError`. */
export const problemOf = (setting: string, given: unknown, expected: string): string =>
  `${setting}: given ${JSON.stringify(given) ?? 'nothing'}, expected ${expected}.`;

/** Reads all settings, each given or by default, and adds what is wrong to `problems`. */
export function readSettings(
  lookup: (setting: SettingName) => unknown,
  target: DeploymentTarget,
  problems: string[],
): Configuration {
  const wrong = new Set<string>();
  const read = (setting: SettingName): unknown => {
    const given = lookup(setting);
    const result = v.safeParse(settingSchemas[setting], given);
    if (!result.success) {
      wrong.add(setting);
      problems.push(problemOf(setting, given, result.issues[0].message));
    }
    return result.output;
  };
  const settings = Object.fromEntries(settingNames.map((name) => [name, read(name)])) as Settings;
  for (const { setting, given, expected } of contradictions(settings, wrong, target)) {
    problems.push(problemOf(setting, given, expected));
  }
  return { ...settings, sequenceBase: settings.sequenceBase ?? 0 };
}

/**
 * The configuration in a CDK context. `-c setting=value` overrides the environment's entry in `environments`,
 * which overrides the default. Throws a `ConfigurationError` that lists everything that is wrong.
 */
export function readConfiguration(
  lookup: (key: string) => unknown,
  target: DeploymentTarget = {},
): EnvironmentConfiguration {
  const problems: string[] = [];
  const given = lookup('environmentName');
  const named = v.safeParse(environmentNameSchema, given);
  if (!named.success) problems.push(problemOf('environmentName', given, named.issues[0].message));
  const environmentName = named.success ? named.output : '';
  const entry = readEntry(lookup('environments'), environmentName, problems);
  for (const name of Object.keys(entry)) {
    if (Object.hasOwn(settingSchemas, name)) continue;
    problems.push(unknownName(`environments.${environmentName}.${name}`, name, settingNames));
  }
  const direct = (name: string): unknown => (lookup(name) === undefined ? entry[name] : lookup(name));
  const configuration = readSettings(direct, target, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...configuration, environmentName };
}

/**
 * Context with a plain word as its name is ours: the names of CDK's own have `/`, `:` or `-`. Without this
 * check a misspelt `-c` would deploy something else than intended. Throws a `ConfigurationError` that names
 * it.
 */
export function refuseUnknownContext(names: readonly string[]): void {
  const known = ['environmentName', 'environments', ...settingNames];
  const unknown = names.filter((name) => /^\w+$/.test(name) && !known.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigurationError(unknown.map((name) => unknownName(name, name, known)));
}

const settingNames = Object.keys(settingSchemas) as SettingName[];

export function unknownName(place: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `${place}: not a setting; expected one of ${known.join(', ')}.`
    : `${place}: not a setting; did you mean ${nearest}?`;
}

/**
 * The environment's entry. An unlisted environment is refused: with a misspelled name, a second stack
 * with the defaults would be deployed.
 */
function readEntry(
  environments: unknown,
  environmentName: string,
  problems: string[],
): Record<string, unknown> {
  const report = (...problem: Parameters<typeof problemOf>) => problems.push(problemOf(...problem));
  if (!isObject(environments)) {
    report('environments', environments, 'an object that maps environment names to their settings');
    return {};
  }
  // A name that is not valid is reported as such.
  if (environmentName === '') return {};
  if (!Object.hasOwn(environments, environmentName)) {
    const listed = Object.keys(environments);
    const nearest = nearestName(environmentName, listed);
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
    report('environmentName', environmentName, `an entry of environments: ${listed.join(', ')}${hint}`);
    return {};
  }
  const entry = environments[environmentName];
  if (!isObject(entry)) {
    report(`environments.${environmentName}`, entry, 'an object with settings');
    return {};
  }
  return entry;
}
