import type { RunRecord } from '../record.ts';

/**
 * The first free id of a numbered series: `contract-01`, `contract-02`, … A host may have taken the first one, also
 * with the very artifact that the companion is stored beside (D6).
 */
export const freeId = (record: RunRecord, stem: string, beside: string): string => {
  for (let number = 1; ; number += 1) {
    const id = `${stem}-${String(number).padStart(2, '0')}`;
    if (id !== beside && record.indexOf(id) < 0) return id;
  }
};
