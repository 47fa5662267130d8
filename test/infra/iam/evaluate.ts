import { conditionsHold } from './conditions.ts';
import { matchesAction, matchesResource, matchesText } from './patterns.ts';
import { accountOf, list, type Policy, type Principal, type Request, type Statement } from './policy.ts';

export interface Policies {
  /** Of the identity that asks. */
  readonly identity: readonly Policy[];
  /** Of the resource that is acted on. */
  readonly resource: readonly Policy[];
}

/** Why a request is let through or not. Only the first is let through. */
export type Decision = 'allowed' | 'explicit deny' | 'implicit deny';

/** Services where an identity's own policy counts for nothing unless the resource's policy lets it. */
const ruledByTheResource = /^(kms:|sts:AssumeRole$)/i;

/**
 * IAM's decision, without organisations, boundaries and sessions, which the stack has none of:
 * an explicit deny wins; within an account one allow is enough, in the identity's policy or in the
 * resource's; across accounts both are needed; and nothing is allowed otherwise.
 */
export function evaluate(request: Request, { identity, resource }: Policies): Decision {
  const context = contextOf(request);
  const applies = (statement: Statement): boolean =>
    concerns(statement, request) && conditionsHold(statement.Condition ?? {}, context);
  const own = identity.flatMap(({ Statement }) => list(Statement)).filter(applies);
  const theirs = resource.flatMap(({ Statement }) => list(Statement)).filter(applies);

  const named = theirs.filter(({ Principal }) => names(Principal, request.principal));
  const delegated = theirs.filter(({ Principal }) => namesAccountOf(Principal, request.principal));
  if ([...own, ...named, ...delegated].some(({ Effect }) => Effect === 'Deny')) return 'explicit deny';

  const byIdentity = own.some(isAllow);
  const byName = named.some(isAllow);
  const byAccount = delegated.some(isAllow);
  return isEnough(request, { byIdentity, byName, byAccount }) ? 'allowed' : 'implicit deny';
}

const isAllow = ({ Effect }: Statement): boolean => Effect === 'Allow';

interface Allows {
  readonly byIdentity: boolean;
  readonly byName: boolean;
  /** The resource leaves it to the identity's account, whose policies decide. */
  readonly byAccount: boolean;
}

function isEnough({ principal, action, resource }: Request, allows: Allows): boolean {
  const { byIdentity, byName, byAccount } = allows;
  if (principal.kind !== 'identity') return byName;
  if (accountOf(principal.arn) !== accountOf(resource)) return byIdentity && (byName || byAccount);
  if (ruledByTheResource.test(action)) return byName || (byAccount && byIdentity);
  return byIdentity || byName;
}

function concerns(statement: Statement, { action, resource }: Request): boolean {
  const { Action, NotAction, Resource, NotResource } = statement;
  const hasAction = (patterns: Statement['Action']): boolean =>
    list(patterns ?? []).some((pattern) => matchesAction(pattern, action));
  const hasResource = (patterns: Statement['Resource']): boolean =>
    list(patterns ?? []).some((pattern) => matchesResource(pattern, resource));
  // A trust policy names no resource: it is about the role that it belongs to.
  const resourceMatches =
    NotResource === undefined ? Resource === undefined || hasResource(Resource) : !hasResource(NotResource);
  return (NotAction === undefined ? hasAction(Action) : !hasAction(NotAction)) && resourceMatches;
}

function names(named: Statement['Principal'], principal: Principal): boolean {
  if (named === undefined) return false;
  if (named === '*' || list(named['AWS'] ?? []).includes('*')) return true;
  if (principal.kind === 'anonymous') return false;
  if (principal.kind === 'service') return list(named['Service'] ?? []).includes(principal.service);
  return list(named['AWS'] ?? []).includes(principal.arn);
}

/** Whether the account as a whole is named, as its root or by its number. */
function namesAccountOf(named: Statement['Principal'], principal: Principal): boolean {
  if (named === undefined || named === '*' || principal.kind !== 'identity') return false;
  const account = accountOf(principal.arn);
  return list(named['AWS'] ?? []).some(
    (one) => one === account || matchesText(`arn:*:iam::${account}:root`, one),
  );
}

/** The keys that AWS puts into every request, unless the request says otherwise. */
function contextOf({ principal, context }: Request): NonNullable<Request['context']> {
  const who: Record<string, string> =
    principal.kind === 'identity'
      ? {
          'aws:PrincipalArn': principal.arn,
          'aws:PrincipalAccount': accountOf(principal.arn),
          'aws:PrincipalIsAWSService': 'false',
        }
      : { 'aws:PrincipalIsAWSService': String(principal.kind === 'service') };
  return { 'aws:SecureTransport': 'true', ...who, ...context };
}
