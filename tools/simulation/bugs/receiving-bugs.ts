import { bug, edit } from './bug.ts';

/** Mistakes between the webhook and the first delivery of its event. */
export const receivingBugs = {
  'acknowledge-before-send': bug(
    'recorded',
    'responds 202 before SQS has confirmed the message',
    edit(
      'verifier/verifier.ts',
      'await parts.enqueue({ ...message, seal: seal(sealKey, message) });',
      'parts.enqueue({ ...message, seal: seal(sealKey, message) }).catch(() => {});',
    ),
  ),
  'keys-never-reread': bug(
    'responses',
    'reads the private keys once per instance',
    edit(
      'verifier/key-ring.ts',
      'if (secondsSince(goodAt) > maxAgeSeconds && secondsSince(triedAt) >= pause) await read();',
      'if (keys.length === 0 && secondsSince(triedAt) >= pause) await read();',
    ),
    edit(
      'verifier/key-ring.ts',
      'async reread() {\n      if (secondsSince(triedAt) >= secretRereadCooldownSeconds) await read();',
      'async reread() {',
    ),
  ),
  'expired-keys-accepted': bug(
    'responses',
    'accepts a private key after its time in the secret has passed',
    edit('domain/signature.ts', '|| now < acceptedUntil;', '|| now > 0;'),
  ),
  'flag-decides-the-mode': bug(
    'invented',
    'takes the mode from the sandbox flag of the body, not from the key',
    edit(
      'verifier/verifier.ts',
      'const { id: keyId, mode } = verdict.key;',
      `const { id: keyId, mode: ofKey } = verdict.key;
      const flag = /"sandbox": ?(true|false)/.exec(body.toString())?.[1];
      const mode: AnyMode = flag === undefined ? ofKey : flag === 'true' ? 'sandbox' : 'live';`,
    ),
  ),
  'no-batch-item-failures': bug(
    'recorded',
    'returns no `batchItemFailures`, so that Lambda deletes every message of a batch',
    edit(
      'consumer/consumer.ts',
      'batchItemFailures: retried.map(',
      'batchItemFailures: retried.slice(0, 0).map(',
    ),
  ),
  'delete-before-merge': bug(
    'outcomes',
    'returns, so that the messages are deleted, while their facts are still on the way to the orders',
    edit(
      'consumer/consumer.ts',
      'const errors = await mergeOrders(parts, steps.filter(isFirst));',
      'mergeOrders(parts, steps.filter(isFirst)); const errors = new Map();',
    ),
  ),
  'rows-without-a-lock': bug(
    'recorded',
    'stores the row of an event over the one that has its id',
    edit(
      'aws/delivery-table.ts',
      'putItem(table, eventValues(row), isAbsent(names.key))',
      "putItem(table, eventValues(row), isAbsent('missing'))",
    ),
  ),
  'lock-expires': bug(
    'recorded',
    'gives the row that locks an event id a time to live',
    edit(
      'aws/event-item.ts',
      '...expiryOf(mode, row.recordedAt),',
      "...expiryOf('heartbeat', row.recordedAt),",
    ),
  ),
  'no-repair-of-a-duplicate': bug(
    'recorded',
    'does nothing when the row of an event exists: a crash had left it without its merge',
    edit(
      'consumer/consumer.ts',
      "if (stored.kind === 'again') return await",
      "if (stored.kind === 'again') return done;\n    if (stored.kind === 'again') return await",
    ),
  ),
  'duplicate-uses-its-own-reading': bug(
    'operators',
    'repairs a duplicate with what its own version reads, and not with what is stored',
    edit(
      'consumer/redeliver.ts',
      '(other === same ? row : other)',
      '(other === same ? { ...row, reading: event.reading } : other)',
    ),
  ),
  'waiting-body-expires': bug(
    'retention',
    'lets the body of an event expire that still waits for a person',
    edit(
      'consumer/event-rows.ts',
      'const expiresAt = waiting === undefined ? bodyExpiry(settings) : undefined;',
      'const expiresAt = bodyExpiry(settings);',
    ),
  ),
  'stamp-before-the-write': bug(
    'list',
    'puts the time at which the instance started into the index of changes',
    edit('consumer/handler.ts', 'now: () => new Date(),', 'now: (startedAt => () => startedAt)(new Date()),'),
  ),
  'duplicate-is-busy': bug(
    'drained',
    'takes a duplicate for an event that another actor is changing, every time',
    edit(
      'consumer/consumer.ts',
      "if (stored.kind === 'again') return await finishAgain(parts, received, stored.event);",
      "if (stored.kind === 'again') return retry(parts, received.messageId, { reason: 'event_busy' });",
    ),
  ),
};
