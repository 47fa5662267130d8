/** What operators do; each of these may need two people. */
export const actNames = ['admit', 'dismiss', 'resolve', 'replay', 'erase'] as const;
export type ActName = (typeof actNames)[number];

/** What operators decide about acts that need two people. */
export const approvalNames = ['propose', 'approve', 'reject'] as const;
