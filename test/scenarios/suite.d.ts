/** The types of what these tests take from the library of the black-box scenarios, which is plain JavaScript. */

declare module '*/scenarios/lib/client.mjs' {
  export type Answer = Readonly<{ verdict: 'accept' | 'refuse' | 'dead' | 'timeout'; payload: unknown; raw: unknown }>;

  export class TelicClient {
    static start(options: Readonly<{ command: string; root: string; state: string }>): Promise<TelicClient>;
    call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer>;
    close(): Promise<void>;
  }
}

declare module '*/scenarios/lib/build.mjs' {
  type Client = import('../conformance/scenarios/lib/client.mjs').TelicClient;
  type Answer = import('../conformance/scenarios/lib/client.mjs').Answer;
  type PermissionSet = import('../../schemas/permissions.ts').PermissionSet;
  type Submitted = import('../../schemas/vocabulary.ts').SubmittedType;
  type Body<T extends Submitted> = import('../../schemas/artifacts/index.ts').BodyOf<T>;
  type Kept<T extends Submitted> = { id: string; ref: string; body: Body<T> };
  type Profile = Readonly<{ mode: string; caps: readonly string[]; request: string; shell?: readonly string[] }>;
  type Start = Readonly<Record<string, unknown>>;

  /** A run as its host follows it, with what it has submitted. */
  export class Live {
    constructor(client: Client, profile: string | Profile, over?: Readonly<{ start?: Start }>);
    client: Client;
    runId: string;
    requestId: string;
    requestRef: string;
    envelopeId: string;
    version: number;
    topology: string;
    phase: string;
    action: { id: string; kind: string; phase: string; status?: string; workNodeId?: string | null };
    manifest: { derivedRefs: string[] };
    repoRefs: string[];
    lineage: string[] | null;
    clarRef: string;
    nodeEv: Record<string, string>;
    reportId: string | null;
    micro: boolean;
    uri(id: string): string;
    tok(): { run_id: string; action_id: string; expected_run_version: number };
    last<T extends Submitted>(type: T): Kept<T>;
    all<T extends Submitted>(type: T): Kept<T>[];
    start(): Promise<Answer>;
    ground(args?: Readonly<Record<string, unknown>>): Promise<Answer>;
    submit(type: Submitted, body: object, sourceRefs?: readonly string[]): Promise<Answer>;
    rawSubmit(args: Readonly<Record<string, unknown>>): Promise<Answer>;
    clarify(body: Body<'ClarificationRequest'>): Promise<Answer>;
    answer(choice: string): Promise<Answer>;
    adopt(payload: unknown): void;
    commit(type: Submitted, body: object): void;
    pullMicro(): Promise<void>;
    refresh(): Promise<Answer>;
  }

  type Chosen = Readonly<{
    decision?: string;
    fail?: readonly string[];
    status?: string;
    kind?: string;
    reason?: string;
  }>;
  type Built = [type: Submitted, body: object, sourceRefs?: readonly string[]];

  export const PROFILES: Readonly<
    Record<'report' | 'report_micro' | 'plan' | 'analyze' | 'fix' | 'fix_micro' | 'anf', Profile>
  >;
  export const clone: <T>(value: T) => T;
  export const perms: (
    capabilities: readonly string[],
    scopes?: Readonly<{ shell?: readonly string[] }>,
  ) => PermissionSet;
  export const frame: (run: Live) => Body<'ProblemFrame'>;
  export const scenarioSpec: (run: Live) => Body<'ScenarioSpec'>;
  export const contract: (run: Live) => Body<'TaskContract'>;
  export const contract2: (run: Live, fields?: readonly string[]) => Body<'TaskContract'>;
  export const contract2Src: (run: Live) => string[];
  export const review: (run: Live, decision?: 'pass' | 'revise' | 'block') => Body<'PromptReview'>;
  export const plan: (run: Live) => Body<'WorkPlan'>;
  export const evidence: (run: Live, kind: string, over?: Partial<Body<'Evidence'>>) => Body<'Evidence'>;
  export const execEvidence: (run: Live, more?: readonly string[]) => Promise<Answer>;
  export const result: (run: Live, over?: Partial<Body<'WorkResult'>>, chosen?: Chosen) => Body<'WorkResult'>;
  export const quality: (run: Live, over?: Partial<Body<'QualityReview'>>, chosen?: Chosen) => Body<'QualityReview'>;
  export const audit: (run: Live, over?: Partial<Body<'ReleaseAudit'>>, chosen?: Chosen) => Body<'ReleaseAudit'>;
  export const report: (run: Live, over?: Partial<Body<'UserReport'>>, chosen?: Chosen) => Body<'UserReport'>;
  export const clarification: (
    run: Live,
    over?: Partial<Body<'ClarificationRequest'>>,
    chosen?: Chosen,
  ) => Body<'ClarificationRequest'>;
  export const direct: (run: Live) => string;
  export const nextBody: (run: Live) => Built;
  export const step: (run: Live) => Promise<Answer>;
  export const walkTo: (run: Live, phase: string) => Promise<Live>;
  export const fresh: (
    client: Client,
    profile: string | Profile,
    phase?: string,
    chosen?: Readonly<Record<string, unknown>>,
    over?: Readonly<{ start?: Start }>,
    nth?: number,
  ) => Promise<Live>;
}
