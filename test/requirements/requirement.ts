/** A sentence of the API text that can be tested, in our own words, with what proves it. */
export interface Requirement {
  /** `API-<number>`; numbers are free between the groups, so that a sentence can be added where it belongs. */
  readonly id: string;
  /** Our short name for the heading under which the text says it. */
  readonly source: string;
  readonly behaviour: string;
  readonly surface: 'cli' | 'documents' | 'grounding' | 'ledger' | 'machines' | 'mcp' | 'permissions' | 'schemas';
  /**
   * `<file under test/> > <text>`: the text stands in the title of exactly one test of the file, its groups in front
   * (`group > test`), or is the whole title of a group, whose tests then all prove it. What a title computes is written `…`.
   */
  readonly proofs: readonly string[];
  /** The number in decisions.md that narrows or changes the sentence; the behaviour is the decided one. */
  readonly decision?: number;
  /** What is missing, and the later issue that brings it. */
  readonly gap?: Gap;
}

export interface Gap {
  readonly issue: Issue;
  readonly reason: string;
  /** Tells whether the behaviour is there. It must not be, for as long as the gap is listed. */
  readonly probe?: () => Promise<boolean>;
}

export const issues = [
  'Every run: all modes and topologies, the whole command line, measured',
  'The whole law',
  'A host that has never seen Telic finishes a run',
  'A ledger to trust',
  'The workspace wire',
] as const;
export type Issue = (typeof issues)[number];
