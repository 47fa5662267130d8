export interface TableNames {
  readonly events: string;
  readonly orders: string;
}
