import type { EventBodies, Mode } from '@payhooks/order-client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, getApi } from '../data/api.ts';
import { apiPath } from '../data/href.ts';

export interface BodiesRequest {
  readonly eventId: string;
  readonly mode: Mode;
  /** One of the bodies under the id; all of them without it. */
  readonly bodySha256?: string;
  /** Read at once instead of when `load` is called. */
  readonly isAtOnce?: boolean;
}

export interface Bodies {
  readonly data: EventBodies | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  load(): void;
}

/**
 * Reads bodies once, and not again when stored data changes: they never do, and each read of customer data is
 * recorded in the access log.
 */
export function useBodies({ eventId, mode, bodySha256, isAtOnce = false }: BodiesRequest): Bodies {
  const [read, setRead] = useState<Omit<Bodies, 'load'>>(nothingRead);
  const load = useCallback((): void => {
    setRead({ ...nothingRead, isLoading: true });
    getApi<EventBodies>(apiPath.eventBodies(eventId), { mode, body_sha256: bodySha256 })
      .then((data) => setRead({ ...nothingRead, data }))
      .catch((cause: unknown) => {
        const error = cause instanceof ApiError ? cause : new ApiError(0, String(cause));
        setRead({ ...nothingRead, error });
      });
  }, [eventId, mode, bodySha256]);
  useEffect(() => {
    setRead(nothingRead);
    if (isAtOnce) load();
  }, [load, isAtOnce]);
  return { ...read, load };
}

const nothingRead = { data: undefined, error: undefined, isLoading: false };
