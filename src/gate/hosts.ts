/** The hosts whose calls the gate knows how to refuse (permissions section 10). */
export const gateHosts = ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'cline', 'cursor'] as const;
export type GateHost = (typeof gateHosts)[number];

export const isGateHost = (word: unknown): word is GateHost => gateHosts.some((host) => host === word);
