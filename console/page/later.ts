/** What the first page does not need: one file, which comes after it. */
export { ActDialog } from './acts/act-dialog.tsx';
export { AlarmPage } from './alarms/alarm-page.tsx';
export { AlarmsPage } from './alarms/alarms-page.tsx';
export { ApprovalsPage } from './approvals/approvals-page.tsx';
export { EventPage } from './event/event-page.tsx';
export { LaboratoryPage } from './laboratory/laboratory-page.tsx';
export { SearchPage } from './layout/search-page.tsx';
export { OrderPage } from './order/order-page.tsx';
export { TransactionPage } from './order/transaction-page.tsx';
export { LastHour } from './overview/last-hour.tsx';
export { RefusedPage } from './refused/refused-page.tsx';
export { WaitingPage } from './waiting/waiting-page.tsx';
