import { UnsupportedPolicyError } from './policy.ts';

/** Whether text matches a pattern of `*` (any characters) and `?` (any one). */
export function matchesText(pattern: string, text: string): boolean {
  return new RegExp(`^${expression(pattern, '.*')}$`, 's').test(text);
}

/** Actions are compared without regard to case. */
export const matchesAction = (pattern: string, action: string): boolean =>
  matchesText(pattern.toLowerCase(), action.toLowerCase());

/**
 * Whether an ARN matches the pattern in a Resource element: a wildcard stays within its part between colons,
 * unless it is the last character of the part; then it reaches beyond.
 */
export function matchesResource(pattern: string, arn: string): boolean {
  const parts = pattern.split(':').map((part) => {
    const reachesBeyond = part.endsWith('*');
    const within = expression(reachesBeyond ? part.slice(0, -1) : part, '[^:]*');
    return reachesBeyond ? `${within}.*` : within;
  });
  return new RegExp(`^${parts.join(':')}$`, 's').test(arn);
}

/** Whether an ARN matches the pattern of a condition: part by part, six of them. */
export function matchesArn(pattern: string, arn: string): boolean {
  const [patterns, parts] = [sixParts(pattern), sixParts(arn)];
  return (
    patterns.length === 6 &&
    parts.length === 6 &&
    patterns.every((one, index) => matchesText(one, parts[index] ?? ''))
  );
}

/** The last part of an ARN may hold colons itself. */
function sixParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

function expression(pattern: string, many: string): string {
  if (pattern.includes('${')) {
    throw new UnsupportedPolicyError(`"${pattern}" holds a policy variable, which is not evaluated here.`);
  }
  return pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', many)
    .replaceAll('?', many === '.*' ? '.' : '[^:]');
}
