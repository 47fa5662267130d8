import { type ApiError, NoAddressError } from '../data/api.ts';

export function failureTitle(error: ApiError): string {
  if (error instanceof NoAddressError) return 'This id cannot be looked up';
  if (error.notAllowed) return 'Not allowed';
  if (error.status === 0) return 'Not connected';
  if (error.status === 404) return 'Not found';
  return `The server responded with an error (${error.status})`;
}
