import { matchesArn, matchesText } from './patterns.ts';
import { type ConditionBlock, list, type RequestContext, UnsupportedPolicyError } from './policy.ts';

type Compare = (expected: string, given: string) => boolean;

const equalsText: Compare = (expected, given) => {
  if (expected.includes('${')) {
    throw new UnsupportedPolicyError(`"${expected}" holds a policy variable, which is not evaluated here.`);
  }
  return expected === given;
};

/** The operators that compare one value with one value, and what they say of a match. */
const operators: Readonly<Record<string, { readonly compare: Compare; readonly negated: boolean }>> = {
  StringEquals: { compare: equalsText, negated: false },
  StringNotEquals: { compare: equalsText, negated: true },
  StringLike: { compare: matchesText, negated: false },
  StringNotLike: { compare: matchesText, negated: true },
  // AWS lets both forms of the ARN operators take wildcards.
  ArnEquals: { compare: matchesArn, negated: false },
  ArnLike: { compare: matchesArn, negated: false },
  ArnNotEquals: { compare: matchesArn, negated: true },
  ArnNotLike: { compare: matchesArn, negated: true },
  Bool: { compare: (expected, given) => expected.toLowerCase() === given.toLowerCase(), negated: false },
};

/**
 * Whether every condition of a block holds. A key that is not in the request holds for a negated operator and
 * for one that ends in IfExists, and for no other.
 */
export function conditionsHold(block: ConditionBlock, context: RequestContext): boolean {
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(block).every(([operator, conditions]) =>
    Object.entries(conditions).every(([key, expected]) =>
      holds(operator, list(expected).map(String), keys.get(key.toLowerCase())),
    ),
  );
}

function holds(
  operator: string,
  expected: readonly string[],
  given: RequestContext[string] | undefined,
): boolean {
  if (operator === 'Null') return expected.includes(String(given === undefined));
  const [, quantifier, name = '', ifExists] = /^(?:(\w+):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const known = operators[name];
  if (known === undefined || !['ForAllValues', 'ForAnyValue', undefined].includes(quantifier)) {
    throw new UnsupportedPolicyError(`The condition operator ${operator} is not evaluated here.`);
  }
  if (given === undefined) {
    if (quantifier === 'ForAnyValue') return false;
    return ifExists !== undefined || known.negated || quantifier === 'ForAllValues';
  }
  const matches = (value: string): boolean =>
    expected.some((one) => known.compare(one, value)) !== known.negated;
  return quantifier === 'ForAnyValue' ? list(given).some(matches) : list(given).every(matches);
}
