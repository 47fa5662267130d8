import type { Mode, OrderList } from '@payhooks/order-client';
import { type Pages, usePages } from './use-pages.ts';

export type OrderPages = Pages<OrderList>;

/** The orders that list an attention; a resolved one is not listed. */
export const useAttention = (mode: Mode): OrderPages =>
  usePages<OrderList>('/orders', { attention: 'any', sort_order: 'desc', limit: 20, mode });
