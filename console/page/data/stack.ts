import type { StackInfo } from '../../contract.ts';
import { type ApiQuery, useApi } from './use-api.ts';

/** What the console shows: local mode or one stack on AWS. */
export function useStack(): ApiQuery<StackInfo> {
  return useApi<StackInfo>('/console/api/stack');
}
