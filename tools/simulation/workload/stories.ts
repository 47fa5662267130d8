import type { Random } from '../random.ts';
import type { Draft, Writer } from './events.ts';

/** The webhooks of one customer's purchase, in the order in which the payment service makes them. */
type Story = (writer: Writer, random: Random, id: (what: string) => string) => Draft[];

const amounts = ['10.00', '25.5', '100', '0.01', '99999999999999.99'] as const;

/** A purchase, and what may become of it. */
export const stories: Readonly<Record<string, Story>> = {
  paid: ({ write }, random, id) => [
    write('transaction.paid', subjectOf(id), { amount: random.pick(amounts) }),
  ],

  refunded_in_full: ({ write }, random, id) => {
    const amount = random.pick(amounts);
    return [
      write('transaction.paid', subjectOf(id), { amount }),
      write('transaction.refunded', subjectOf(id), { amount }),
    ];
  },

  refunded_in_part: ({ write }, random, id) => [
    write('transaction.paid', subjectOf(id), { amount: '80.00' }),
    write('transaction.refunded', subjectOf(id), { amount: random.pick(['30.00', '80.0', '81.00']) }),
    ...(random.chance(0.4) ? [write('transaction.refunded', subjectOf(id), { amount: '50.00' })] : []),
  ],

  /** The refund names no order: its payment shows which one. */
  refunded_without_order: ({ write }, random, id) => [
    write('transaction.paid', subjectOf(id), { amount: '40.00' }),
    write('transaction.refunded', { ...subjectOf(id), orderId: undefined }, { amount: '40.00' }),
    ...(random.chance(0.3) ? [write('transaction.disputed', subjectOf(id), { amount: '40.00' })] : []),
  ],

  /** Nothing names the order of the refund: it waits for a person. */
  refund_of_nothing: ({ write }, _random, id) => [
    write('transaction.refunded', { ...subjectOf(id), orderId: undefined }, { amount: '5.00' }),
  ],

  failed_then_paid: ({ write }, _random, id) => [
    write('transaction.failed', subjectOf(id, 'first'), { amount: '20.00' }),
    write('transaction.paid', subjectOf(id, 'second'), { amount: '20.00' }),
  ],

  failed: ({ write }, _random, id) => [write('transaction.failed', subjectOf(id), { amount: '20.00' })],

  /** An event about no order, and about no money. */
  history_without_order: ({ write }, _random, id) => [
    write('transaction.updated', { ...subjectOf(id), orderId: undefined }, { amount: '20.00' }),
  ],

  paid_twice: ({ write }, _random, id) => [
    write('transaction.paid', subjectOf(id, 'first'), { amount: '60.00' }),
    write('transaction.paid', subjectOf(id, 'second'), { amount: '60.00', currency: 'USD' }),
    write('transaction.refunded', subjectOf(id, 'second'), { amount: '60.00', currency: 'usd' }),
  ],

  /** One transaction pays two orders. */
  shared_transaction: ({ write }, _random, id) => [
    write('transaction.paid', { orderId: id('order one'), transactionId: id('one') }, { amount: '15.00' }),
    write('transaction.paid', { orderId: id('order two'), transactionId: id('one') }, { amount: '15.00' }),
    write('transaction.refunded', { orderId: undefined, transactionId: id('one') }, { amount: '15.00' }),
  ],

  disputed: ({ write }, _random, id) => [
    write('transaction.paid', subjectOf(id), { amount: '70.00' }),
    write('transaction.disputed', subjectOf(id), { amount: '70.00' }),
  ],

  /** Names that payhooks has no meaning for, or only by a setting. */
  unknown_name: ({ write }, random, id) => [
    write('transaction.paid', subjectOf(id), { amount: '12.00' }),
    write(random.pick(['transaction.voided', 'transaction.updated']), subjectOf(id), { amount: '12.00' }),
  ],

  /** Two bodies under one id that name the same order. */
  same_id_other_fact: ({ write }, random, id) => {
    const eventId = random.uuid();
    return [
      write('transaction.paid', subjectOf(id), { amount: '33.00', id: eventId }),
      write('transaction.paid', subjectOf(id), { amount: '34.00', id: eventId }),
    ];
  },

  /** Two bodies under one id for two orders: only the first to arrive counts. */
  same_id_other_order: ({ write }, random, id) => {
    const eventId = random.uuid();
    return [
      write('transaction.paid', subjectOf(id, 'one'), { amount: '44.00', id: eventId }),
      write(
        'transaction.paid',
        { orderId: id('other order'), transactionId: id('two') },
        { amount: '44.00', id: eventId },
      ),
    ];
  },

  /** The same event twice, in other bytes. */
  same_fact_other_bytes: ({ write, rewrite }, _random, id) => {
    const draft = write('transaction.paid', subjectOf(id), { amount: '55.00' });
    return [draft, rewrite(draft)];
  },

  /** Signed, and yet no one but a person may apply it. */
  quarantined: ({ write }, random, id) => {
    const broken = random.pick<Record<string, unknown>>([
      { sandbox: undefined },
      { sandbox: 'yes' },
      { transaction: { order_id: { nested: true } } },
      { transaction: { order_id: 'o'.repeat(2_000) } },
      { transaction: { id: ['list'] } },
    ]);
    return [write('transaction.paid', subjectOf(id), { amount: '66.00', broken })];
  },

  /** The flag of the body disagrees with the mode of the key. */
  wrong_mode: ({ write }, _random, id) => {
    const { mode, body } = write('transaction.paid', subjectOf(id), { amount: '77.00' });
    const wrong = body
      .toString()
      .replace(
        /"sandbox":( ?)(true|false)/,
        (_, space, flag) => `"sandbox":${space}${flag === 'true' ? 'false' : 'true'}`,
      );
    return [{ mode, body: Buffer.from(wrong), meant: undefined }];
  },
};

/** So many events of one order that they do not fit into its row, where the run makes rows small. */
export const crowdedOrder: Story = ({ write }, random, id) =>
  Array.from({ length: random.integer(6, 14) }, () => {
    const subject = subjectOf(id, `transaction ${random.integer(1, 4)}`);
    const name = random.pick(['paid', 'paid', 'failed', 'refunded', 'disputed', 'refunded']);
    const orderId = name === 'refunded' && random.chance(0.5) ? undefined : subject.orderId;
    return write(`transaction.${name}`, { ...subject, orderId }, { amount: random.pick(amounts) });
  });

/** Events of two orders and two transactions, in runs in which a former version reads others in each. */
export const misreadEvents: Story = ({ write }, random, id) =>
  Array.from({ length: random.integer(4, 8) }, () => {
    const name = random.pick(['paid', 'paid', 'paid', 'refunded', 'disputed', 'updated']);
    const orderId = random.pick([id('order'), id('order'), id('other order'), undefined]);
    const transactionId = random.pick([id('transaction'), id('transaction'), id('other transaction')]);
    return write(`transaction.${name}`, { orderId, transactionId }, { amount: random.pick(amounts) });
  });

/** A payment in whose body a former version reads another order. */
export const movedPayment: Story = ({ write }, random, id) => [
  write('transaction.paid', subjectOf(id), { amount: random.pick(amounts) }),
];

const subjectOf = (id: (what: string) => string, transaction = 'transaction') => ({
  orderId: id('order'),
  transactionId: id(transaction),
});
