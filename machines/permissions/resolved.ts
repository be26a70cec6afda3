export type { ResolvedTarget } from '../../schemas/permissions.ts';
