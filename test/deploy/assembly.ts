import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/** A template as MiniStack takes it. */
export interface Adapted {
  readonly template: Template;
  /** The logical ids of what was left out. */
  readonly withheld: readonly string[];
}

/** Resources for which MiniStack refuses the whole template; test/lib and test/heavy cover them. */
const withheldResources: Readonly<Record<string, (resource: Resource) => boolean>> = {
  'the archive of the order feed': ({ Type }) => Type === 'AWS::Events::Archive',
  'the policy of the bus': ({ Type }) => Type === 'AWS::Events::EventBusPolicy',
  'alarms over metric math': ({ Type, Properties }) =>
    Type === 'AWS::CloudWatch::Alarm' && Properties?.['Metrics'] !== undefined,
  'the rotation schedules of secrets': ({ Type }) => Type === 'AWS::SecretsManager::RotationSchedule',
};

const upperCase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** What MiniStack reads in another way than AWS, written so that both read the same. */
const rewrites: Readonly<Record<string, (template: Template) => Template>> = {
  // MiniStack gives the name, which no policy matches; Fn::GetAtt of Id is the same ARN on AWS.
  'Ref of a secret is its ARN': (template) => {
    const isSecret = (id: unknown): boolean =>
      template.Resources[`${id}`]?.Type === 'AWS::SecretsManager::Secret';
    return rewrite(template, (object) =>
      isSecret(object['Ref']) ? { 'Fn::GetAtt': [object['Ref'], 'Id'] } : object,
    );
  },
  // MiniStack knows no other exclusion, and a change of it in the template would give every stack new keys.
  'the characters of generated secrets': (template) =>
    rewrite(template, (object) =>
      object['PasswordLength'] === undefined
        ? object
        : { ...object, ExcludeCharacters: `${object['ExcludeCharacters']}${upperCase}${punctuation}` },
    ),
  // On AWS the permission for one message is that for several. Without it a retry takes four and a half minutes.
  'sqs:ChangeMessageVisibilityBatch': (template) =>
    rewrite(template, (object) =>
      [object['Action']].flat().includes('sqs:ChangeMessageVisibility')
        ? { ...object, Action: [object['Action'], 'sqs:ChangeMessageVisibilityBatch'].flat() }
        : object,
    ),
  // On AWS a session of a role has the ARN of the role there, on MiniStack that of the session.
  'aws:PrincipalArn of a role': (template) =>
    rewrite(template, ({ 'aws:PrincipalArn': principals, ...rest }) =>
      principals === undefined ? rest : { ...rest, 'aws:PrincipalArn': [principals].flat().map(sessionsOf) },
    ),
  // On AWS the physical id of a rule names its bus too, from which `payhooks status` makes this ARN.
  'Fn::GetAtt of Arn of a rule': (template) =>
    rewrite(template, (object) => {
      const [id = '', attribute] = (object['Fn::GetAtt'] ?? []) as readonly string[];
      const { Type, Properties } = template.Resources[id] ?? {};
      if (Type !== 'AWS::Events::Rule' || attribute !== 'Arn') return object;
      const place = [{ Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }];
      const name = [Properties?.['EventBusName'], '/', { Ref: id }];
      return { 'Fn::Join': ['', ['arn:aws:events:', ...place, ':rule/', ...name]] };
    }),
  // MiniStack does not know the condition keys of EventBridge and would permit nothing.
  'conditions of PutEvents': (template) =>
    rewrite(template, ({ Condition, ...rest }) =>
      Condition === undefined || JSON.stringify(Condition).includes('"events:')
        ? rest
        : { ...rest, Condition },
    ),
};

/** The sessions of a role, which the template names by its ARN or its logical id. */
function sessionsOf(role: unknown): unknown {
  const [, account, name] = /^arn:aws:iam::(\d+):role\/([\w-]+)$/.exec(String(role)) ?? [];
  if (name !== undefined) return `arn:aws:sts::${account}:assumed-role/${name}/*`;
  const [id, attribute] = (role as { readonly 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt'] ?? [];
  if (attribute !== 'Arn') return role;
  const session = ['arn:aws:sts::', { Ref: 'AWS::AccountId' }, ':assumed-role/', { Ref: id }, '/*'];
  return { 'Fn::Join': ['', session] };
}

/** Rewrites the template of a stack in a cloud assembly; the constructs know nothing of MiniStack. */
export async function adaptAssembly(assembly: string, stackName: string): Promise<Adapted> {
  const file = join(assembly, `${stackName}.template.json`);
  const adapted = adaptTemplate(JSON.parse(await readFile(file, 'utf8')) as Template);
  await writeFile(file, JSON.stringify(adapted.template));
  return adapted;
}

/** Throws when a resource that stays refers to one that is left out. */
function adaptTemplate(template: Template): Adapted {
  const resources = Object.entries(template.Resources);
  const isWithheld = (resource: Resource) =>
    Object.values(withheldResources).some((matches) => matches(resource));
  const withheld = resources.filter(([, resource]) => isWithheld(resource)).map(([id]) => id);
  const kept = resources
    .filter(([id]) => !withheld.includes(id))
    .map(([id, { DependsOn = [], ...resource }]) => {
      return [
        id,
        {
          ...withoutStatementsAbout(resource, withheld),
          DependsOn: [DependsOn].flat().filter((one) => !withheld.includes(one)),
        },
      ] as const;
    });
  const broken = kept.filter(([, resource]) => refersToAny(resource, withheld)).map(([id]) => id);
  if (broken.length > 0) throw new Error(`${broken} refer to what MiniStack refuses: ${withheld}.`);
  const outputs = Object.entries(template.Outputs ?? {}).filter(([, one]) => !refersToAny(one, withheld));
  const rest = { ...template, Resources: Object.fromEntries(kept), Outputs: Object.fromEntries(outputs) };
  return {
    template: Object.values(rewrites).reduce<Template>((result, change) => change(result), rest),
    withheld,
  };
}

/** What permits to read what is left out permits nothing. */
function withoutStatementsAbout(resource: Resource, ids: readonly string[]): Resource {
  return JSON.parse(JSON.stringify(resource), (key, value: unknown) =>
    key === 'Statement' && Array.isArray(value) ? value.filter((one) => !refersToAny(one, ids)) : value,
  );
}

/** By `Ref`, by `Fn::GetAtt`, or within the text of an `Fn::Sub`. */
function refersToAny(value: unknown, ids: readonly string[]): boolean {
  const text = JSON.stringify(value);
  return ids.some((id) => text.includes(`"${id}"`) || text.includes(`\${${id}`));
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Replaces every object of the template, from the innermost. */
function rewrite(template: Template, replace: (object: JsonObject) => JsonObject): Template {
  return JSON.parse(JSON.stringify(template), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? replace(value as JsonObject)
      : value,
  );
}
