import type { Random } from '../random.ts';
import type { Draft, Writer } from './events.ts';

/** The webhooks of one customer's purchase, in the order in which the payment service makes them. */
type Story = (writer: Writer, random: Random) => Draft[];

const amounts = ['10.00', '25.5', '100', '0.01', '99999999999999.99'] as const;

/** A purchase, and what may become of it. */
export const stories = {
  paid: ({ write }, random) => [write('paid', random.pick(amounts))],

  refunded_in_full({ write }, random) {
    const amount = random.pick(amounts);
    return [write('paid', amount), write('refunded', amount)];
  },

  refunded_in_part: ({ write }, random) => [
    write('paid', '80.00'),
    write('refunded', random.pick(['30.00', '80.0', '81.00'])),
    ...(random.chance(0.4) ? [write('refunded', '50.00')] : []),
  ],

  /** The refund names no order: its payment shows which one. */
  refunded_without_order: ({ write }, random) => [
    write('paid', '40.00'),
    write('refunded', '40.00', { order: null }),
    ...(random.chance(0.3) ? [write('disputed', '40.00')] : []),
  ],

  /** The refund names another order than its payment. */
  refunded_in_another_order: ({ write }) => [
    write('paid', '18.00'),
    write('refunded', '18.00', { order: 'other order' }),
  ],

  /** Nothing names the order of the refund: it waits for a person. */
  refund_of_nothing: ({ write }) => [write('refunded', '5.00', { order: null })],

  failed_then_paid: ({ write }) => [
    write('failed', '20.00', { transaction: 'first' }),
    write('paid', '20.00', { transaction: 'second' }),
  ],

  /** A returned debit looks like that. */
  paid_then_failed: ({ write }) => [write('paid', '20.00'), write('failed', '20.00')],

  failed: ({ write }) => [write('failed', '20.00')],

  /** An event about no order, and about no money. */
  history_without_order: ({ write }) => [write('updated', '20.00', { order: null })],

  paid_twice: ({ write }) => [
    write('paid', '60.00', { transaction: 'first' }),
    write('paid', '60.00', { transaction: 'second', currency: 'USD' }),
    write('refunded', '60.00', { transaction: 'second', currency: 'usd' }),
  ],

  /** One transaction pays two orders. */
  shared_transaction: ({ write }) => [
    write('paid', '15.00', { order: 'order one' }),
    write('paid', '15.00', { order: 'order two' }),
    write('refunded', '15.00', { order: null }),
  ],

  disputed: ({ write }) => [write('paid', '70.00'), write('disputed', '70.00')],

  /** Names that payhooks has no meaning for, or only by a setting. */
  unknown_name: ({ write }, random) => [
    write('paid', '12.00'),
    write(random.pick(['voided', 'updated']), '12.00'),
  ],

  /** Two bodies under one id that name the same order. */
  same_id_other_fact({ write }, random) {
    const id = random.uuid();
    return [write('paid', '33.00', { id }), write('paid', '34.00', { id })];
  },

  /** Two bodies under one id for two orders: only the first to arrive counts. */
  same_id_other_order({ write }, random) {
    const id = random.uuid();
    const elsewhere = { id, order: 'other order', transaction: 'two' };
    return [write('paid', '44.00', { id, transaction: 'one' }), write('paid', '44.00', elsewhere)];
  },

  /** The same event twice, in other bytes. */
  same_fact_other_bytes({ write, rewrite }) {
    const draft = write('paid', '55.00');
    return [draft, rewrite(draft)];
  },

  /** Signed, and yet no one but a person may apply it. */
  quarantined({ write }, random) {
    const broken = random.pick<Record<string, unknown>>([
      { sandbox: undefined },
      { sandbox: 'yes' },
      { transaction: { order_id: { nested: true } } },
      { transaction: { order_id: 'o'.repeat(2_000) } },
      { transaction: { id: ['list'] } },
    ]);
    return [write('paid', '66.00', { broken })];
  },

  /** The flag of the body disagrees with the mode of the key. */
  wrong_mode({ write }) {
    const { mode } = write('paid', '77.00');
    return [write('paid', '77.00', { broken: { sandbox: mode === 'live' } })];
  },
} as const satisfies Readonly<Record<string, Story>>;

/** So many events of one order that they do not fit into its row, where the run makes rows small. */
export const crowdedOrder: Story = ({ write }, random) =>
  Array.from({ length: random.integer(6, 14) }, () => {
    const action = random.pick(['paid', 'paid', 'failed', 'refunded', 'disputed', 'refunded']);
    const order = action === 'refunded' && random.chance(0.5) ? null : 'order';
    const transaction = `transaction ${random.integer(1, 4)}`;
    return write(action, random.pick(amounts), { order, transaction });
  });

/** Events of two orders and two transactions, in runs in which a former version reads others in each. */
export const misreadEvents: Story = ({ write }, random) =>
  Array.from({ length: random.integer(4, 8) }, () =>
    write(random.pick(['paid', 'paid', 'paid', 'refunded', 'disputed', 'updated']), random.pick(amounts), {
      order: random.pick(['order', 'order', 'other order', null]),
      transaction: random.pick(['transaction', 'transaction', 'other transaction']),
    }),
  );
