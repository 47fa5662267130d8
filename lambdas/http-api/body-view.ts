/** A signed body in a response: the bytes, and what is in them for reading. */
export interface BodyView {
  /** Exactly as received; `null` when they are no longer stored. */
  readonly body_base64: string | null;
  /** The body's `payload`; the bytes are the truth. */
  readonly payload: unknown;
}

export function bodyView(body: Uint8Array | undefined): BodyView {
  if (body === undefined) return { body_base64: null, payload: null };
  return { body_base64: Buffer.from(body).toString('base64'), payload: payloadOf(body) };
}

function payloadOf(body: Uint8Array): unknown {
  try {
    const event: { readonly payload?: unknown } = JSON.parse(new TextDecoder().decode(body));
    return event.payload ?? null;
  } catch {
    // No event: only the bytes show what it is.
    return null;
  }
}
