/** One way to misbehave, as data, for part of the notifications. */
export type Misbehaviour = (DeliveryFault | AttemptFault) & {
  /** The part of the notifications that it hits, from 0 to 1; all of them without it. The seed chooses. */
  readonly share?: number;
};

/** What becomes of a notification before it is sent. */
export type DeliveryFault =
  /** Sent as many times more, each as a delivery of its own. */
  | { readonly kind: 'duplicate'; readonly copies: number }
  /** Held back until so many wait, then sent one after another in another order. */
  | { readonly kind: 'reorder'; readonly size: number }
  /** Held back until so many wait, then sent all at once. */
  | { readonly kind: 'burst'; readonly size: number }
  /** Sent later, after a pause that the seed chooses. */
  | { readonly kind: 'delay'; readonly millisecondsMax: number };

/** What becomes of the first `attempts` attempts of a delivery, or of every one. */
export type AttemptFault = Spoiling & { readonly attempts?: number };

type Spoiling =
  /** Signed with a key of somebody else. */
  | { readonly kind: 'wrong_key' }
  /** The JSON is decoded and encoded anew behind the signature (section 6, rule 3). */
  | { readonly kind: 'reserialised_body' }
  /** The receiver's answer is read in small pieces, with a pause before each. */
  | { readonly kind: 'slow_reading'; readonly milliseconds: number }
  /**
   * The connection breaks halfway through the request, or once the receiver has handled it and answers: the
   * answer is lost then, and the notification comes again.
   */
  | { readonly kind: 'dropped_connection'; readonly during: 'request' | 'answer' };

type Rule = 'positive' | 'attempts' | 'share' | readonly string[];

const everyKind = { share: 'share' } as const;
const attemptKind = { ...everyKind, attempts: 'attempts' } as const;

/** The fields of each kind; `share` and `attempts` may be left out. */
const fieldsOf: Readonly<Record<Misbehaviour['kind'], Readonly<Record<string, Rule>>>> = {
  duplicate: { ...everyKind, copies: 'positive' },
  reorder: { ...everyKind, size: 'positive' },
  burst: { ...everyKind, size: 'positive' },
  delay: { ...everyKind, millisecondsMax: 'positive' },
  wrong_key: attemptKind,
  reserialised_body: attemptKind,
  slow_reading: { ...attemptKind, milliseconds: 'positive' },
  dropped_connection: { ...attemptKind, during: ['request', 'answer'] },
};

export const misbehaviourKinds = Object.keys(fieldsOf) as readonly Misbehaviour['kind'][];

/** No pause, batch or number of copies is more than this: a slip of the keyboard must not eat the machine. */
const countMax = 100_000;

/** Checks data from outside: a list of misbehaviours, or a sentence that says what is wrong with it. */
export function readMisbehaviours(given: unknown): readonly Misbehaviour[] | string {
  if (!Array.isArray(given)) return 'Misbehaviours are a list of objects, each with a kind.';
  const faults = given.map(faultOf).filter((fault) => fault !== undefined);
  return faults[0] ?? (given as Misbehaviour[]);
}

function faultOf(given: unknown): string | undefined {
  const { kind, ...rest } = Object(given) as Record<string, unknown>;
  const known = misbehaviourKinds.find((name) => name === kind);
  if (known === undefined) return `kind is one of ${misbehaviourKinds.join(', ')}.`;
  const rules = fieldsOf[known];
  const unknown = Object.keys(rest).find((name) => rules[name] === undefined);
  if (unknown !== undefined) return `${known} has no field ${unknown}.`;
  for (const [name, rule] of Object.entries(rules)) {
    const wanted = faultOfField(rest[name], rule);
    if (wanted !== undefined) return `${name} of ${known} is ${wanted}.`;
  }
  return undefined;
}

/** What a field should be, if it is not that. */
function faultOfField(value: unknown, rule: Rule): string | undefined {
  if (rule === 'share') {
    const fits = value === undefined || (typeof value === 'number' && value >= 0 && value <= 1);
    return fits ? undefined : 'a number from 0 to 1';
  }
  if (rule === 'positive' || rule === 'attempts') {
    if (rule === 'attempts' && value === undefined) return undefined;
    const fits = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= countMax;
    return fits ? undefined : `a whole number from 1 to ${countMax}`;
  }
  return rule.includes(String(value)) ? undefined : rule.join(' or ');
}
