import type { Clock } from '../clock.ts';
import type { QueuedMessage } from '../history.ts';
import type { Random } from '../random.ts';

type Attributes = QueuedMessage['attributes'];

interface QueueParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly visibilitySeconds: number;
  /** After so many receives a message moves to the dead-letter queue. */
  readonly receivesMax?: number;
  readonly deadLetters?: { send(body: string, attributes: Attributes, sentAt: number): void };
  /** The chance that a message comes back although it was deleted, as standard queues may let it. */
  readonly duplicateChance?: number;
}

/** A message that was handed out. */
export interface ReceivedMessage extends QueuedMessage {
  readonly receiptHandle: string;
}

interface Message extends QueuedMessage {
  receives: number;
  visibleAt: number;
}

export type Queue = ReturnType<typeof createQueue>;

/** A standard queue of SQS: at least once, in no order, with receive counts and dead letters. */
export function createQueue(parts: QueueParts) {
  const { clock, random, visibilitySeconds, receivesMax = Number.POSITIVE_INFINITY } = parts;
  const messages = new Map<string, Message>();
  const listeners: (() => void)[] = [];

  function showAt(message: Message, at: number): void {
    message.visibleAt = at;
    clock.after(at - clock.now(), () => {
      if (message.visibleAt === at && messages.has(message.id)) for (const listener of listeners) listener();
    });
  }

  const isVisible = ({ visibleAt }: Message): boolean => visibleAt <= clock.now();
  const visible = (): Message[] => [...messages.values()].filter(isVisible);
  /** A handle is valid until the message is received again. */
  function find(receiptHandle: string): Message | undefined {
    const [id = '', receives] = receiptHandle.split(' ');
    const message = messages.get(id);
    return message !== undefined && String(message.receives) === receives ? message : undefined;
  }

  return {
    send(body: string, attributes: Attributes, sentAt = clock.now()): string {
      const message: Message = { id: random.uuid(), body, attributes, sentAt, receives: 0, visibleAt: 0 };
      messages.set(message.id, message);
      showAt(message, clock.now());
      return message.id;
    },
    /** Hands out messages that are visible, in no order. */
    receive(max: number): ReceivedMessage[] {
      const received: ReceivedMessage[] = [];
      for (const message of random.shuffle(visible()).slice(0, max)) {
        if (message.receives >= receivesMax) {
          messages.delete(message.id);
          // It keeps the time of its first enqueue.
          parts.deadLetters?.send(message.body, message.attributes, message.sentAt);
          continue;
        }
        message.receives += 1;
        showAt(message, clock.now() + visibilitySeconds * 1_000);
        received.push({ ...message, receiptHandle: `${message.id} ${message.receives}` });
      }
      return received;
    },
    delete(receiptHandle: string): void {
      const message = find(receiptHandle);
      if (message === undefined || random.chance(parts.duplicateChance ?? 0)) return;
      messages.delete(message.id);
    },
    /** `false` for a message that is not in flight. */
    changeVisibility(receiptHandle: string, seconds: number): boolean {
      const message = find(receiptHandle);
      if (message === undefined || isVisible(message)) return false;
      showAt(message, clock.now() + seconds * 1_000);
      return true;
    },
    /** Calls back whenever a message becomes visible. */
    onVisible: (listener: () => void): void => void listeners.push(listener),
    messages: (): readonly QueuedMessage[] => [...messages.values()],
    /** Takes every visible message out of the queue. */
    takeAll(): readonly QueuedMessage[] {
      const taken = visible();
      for (const { id } of taken) messages.delete(id);
      return taken;
    },
    visibleCount: () => visible().length,
  };
}
