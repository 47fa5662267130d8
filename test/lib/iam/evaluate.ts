import {
  list,
  type Policy,
  type Principal,
  type Request,
  type RequestContext,
  type Statement,
} from './policy.ts';

export interface Policies {
  /** The policies of the identity that sends the request. */
  readonly identity: readonly Policy[];
  /** The policies of the resource. */
  readonly resource: readonly Policy[];
}

export type Decision = 'allowed' | 'explicit deny' | 'implicit deny';

/** Services where an identity's policy has no effect unless the resource's policy permits it. */
const needsResourcePolicy = /^(kms:|sts:AssumeRole$)/i;

/**
 * IAM's decision, without organisations, permission boundaries and sessions. An explicit deny wins. Within an
 * account one allow is enough, in the identity's or in the resource's policy; across accounts both are needed.
 * Throws for any part of the policy language that it does not know.
 */
export function evaluate(request: Request, { identity, resource }: Policies): Decision {
  const own = statementsAbout(request, identity);
  const others = statementsAbout(request, resource);
  if (own.length + others.length === 0) return 'implicit deny';
  const named = others.filter(({ Principal }) => names(Principal, request.principal));
  const delegated = others.filter(({ Principal }) => namesAccount(Principal, request.principal));
  if ([...own, ...named, ...delegated].some(({ Effect }) => Effect === 'Deny')) return 'explicit deny';

  // No statement with another effect is left.
  const [byIdentity, byName, byAccount] = [own, named, delegated].map(({ length }) => length > 0);
  if (request.principal.kind !== 'identity') return decision(byName);
  if (accountOf(request.principal.arn) !== accountOf(request.resource)) {
    return decision(byIdentity && (byName || byAccount));
  }
  if (needsResourcePolicy.test(request.action)) return decision(byName || (byAccount && byIdentity));
  return decision(byIdentity || byName);
}

const decision = (allowed: boolean | undefined): Decision => (allowed === true ? 'allowed' : 'implicit deny');

function statementsAbout(request: Request, policies: readonly Policy[]): Statement[] {
  const action = request.action.toLowerCase();
  return policies
    .flatMap(({ Statement }) => list(Statement))
    .filter((statement) => {
      if ('NotAction' in statement || 'NotResource' in statement || 'NotPrincipal' in statement) {
        throw new Error(
          `NotAction, NotResource and NotPrincipal are not evaluated: ${JSON.stringify(statement)}`,
        );
      }
      const { Action, Resource, Condition } = statement;
      return (
        list(Action).some((pattern) => matches(pattern.toLowerCase(), action)) &&
        // A trust policy has none.
        (Resource === undefined || list(Resource).some((pattern) => matches(pattern, request.resource))) &&
        (Condition === undefined || conditionsHold(Condition, contextOf(request)))
      );
    });
}

/** Whether text matches a pattern with `*` and `?`. A `*` may match colons, which is at least what IAM allows. */
function matches(pattern: string, text: string): boolean {
  if (pattern.includes('${')) throw new Error(`Policy variables are not evaluated: ${pattern}`);
  if (!/[*?]/.test(pattern)) return pattern === text;
  const escaped = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}

const operators: Readonly<Record<string, (expected: string, given: string) => boolean>> = {
  StringEquals: (expected, given) => expected === given,
  StringLike: matches,
  Bool: (expected, given) => expected === given,
  ArnLike: matches,
  ArnEquals: matches,
  ArnNotLike: matches,
};

/**
 * A key that is not in the request satisfies only negated operators, those that end in IfExists, and every
 * `ForAllValues`, but no `ForAnyValue`. Without that, IAM does not define what several values of a key mean.
 */
function conditionsHold(block: NonNullable<Statement['Condition']>, context: RequestContext): boolean {
  return Object.entries(block).every(([operator, conditions]) => {
    if (operator === 'Null') {
      return Object.entries(conditions).every(
        ([key, absent]) => String(context[key] === undefined) === absent,
      );
    }
    const [, set] = /^(ForAnyValue|ForAllValues):/.exec(operator) ?? [];
    const plain = operator.replace(/^\w+:/, '');
    const name = plain.replace(/IfExists$/, '');
    const negated = name.includes('Not');
    const compare = operators[name];
    if (compare === undefined || (set !== undefined && (negated || name !== plain))) {
      throw new Error(`The condition operator ${operator} is not evaluated.`);
    }
    const isAny = (expected: unknown, value: string): boolean =>
      [expected].flat().some((one) => compare(String(one), value));
    return Object.entries(conditions).every(([key, expected]) => {
      const given = context[key];
      if (set === 'ForAllValues') return list(given ?? []).every((value) => isAny(expected, value));
      if (given === undefined) return set === undefined && (negated || name !== plain);
      if (set === undefined && list(given).length !== 1)
        throw new Error(`${key} has several values: ${operator}.`);
      return list(given).some((value) => isAny(expected, value)) !== negated;
    });
  });
}

/** The keys that AWS adds to every request, unless the request overrides them. */
function contextOf({ principal, context }: Request): RequestContext {
  return {
    'aws:SecureTransport': 'true',
    'aws:PrincipalIsAWSService': String(principal.kind === 'service'),
    ...(principal.kind === 'identity' && { 'aws:PrincipalArn': principal.arn }),
    ...context,
  };
}

function names(named: Statement['Principal'], principal: Principal): boolean {
  if (named === undefined) return false;
  if (named === '*' || list(named['AWS'] ?? []).includes('*')) return true;
  if (principal.kind === 'anonymous') return false;
  if (principal.kind === 'service') return list(named['Service'] ?? []).includes(principal.service);
  return list(named['AWS'] ?? []).includes(principal.arn);
}

/** Whether the whole account of an identity is named, by its root or its number. */
function namesAccount(named: Statement['Principal'], principal: Principal): boolean {
  if (named === undefined || named === '*' || principal.kind !== 'identity') return false;
  const account = accountOf(principal.arn);
  return list(named['AWS'] ?? []).some((one) => one === account || one === `arn:aws:iam::${account}:root`);
}

const accountOf = (arn: string): string => arn.split(':', 5)[4] ?? '';
