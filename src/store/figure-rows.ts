/** One line of figures over holds opened since a time. */
export interface PolicyFigures {
  policy: string;
  count: number;
  open: number;
  decided: number;
  expired: number;
  escalated: number;
  rejected: number;
  decisionMs: { p50: number; p90: number; p99: number } | null;
}
export interface AgentFigures {
  agent: string;
  tasks: number;
  asks: number;
  approvals: number;
  approvedUnchanged: number;
}
export interface NowFigures {
  open: number;
  overdue: number;
  unclaimed: number;
  expiringWithinHour: number;
}
