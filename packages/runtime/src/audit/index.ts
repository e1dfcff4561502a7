export { auditWork } from './audit.ts';
export type { Audit, AuditedGate } from './result.ts';
