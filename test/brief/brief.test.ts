import { describe, expect, it } from 'vitest';
import { briefOf, drafts } from '../../machines/brief/brief.ts';
import { contractGates } from '../../machines/brief/instructions/contractReadiness.ts';
import { systemTextOf, systemTexts } from '../../machines/brief/instructions/systemTexts.ts';
import { rulesShown } from '../../machines/brief/rulesShown.ts';
import { rulesOf, sourcesOf } from '../../machines/brief/sources.ts';
import { taskOf } from '../../machines/brief/tasks.ts';
import { instructionRefOf } from '../../machines/projection/instructions.ts';
import { entriesFor, ruleBook } from '../../machines/rules/index.ts';
import { Brief } from '../../schemas/brief.ts';
import { schemaRules } from '../../schemas/ruleBook.ts';
import {
  actionCapabilities,
  type IntentMode,
  inspectTargets,
  intentModes,
  phaseTable,
  recordPhases,
  SubmittedType,
  topologies,
} from '../../schemas/vocabulary.ts';
import { isObject, type Json } from '../../src/sdk/brief/json.ts';
import { bodyByRule } from './fill.ts';
import { handInDraft } from './handIn.ts';
import { linkedRun } from './linkedRun.ts';
import { accepted, type Beginning, begun, ground, standOf, submitDraft, type Walk } from './walk.ts';

const files = Array.from({ length: 16 }, (_, index) => ({
  path: `src/module/part${String(index).padStart(2, '0')}.ts`,
  instruction: index === 0,
}));

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The run after the draft that it asks for was filled by the rule, with a named variant or the first. */
const go = (walk: Walk, type: SubmittedType, variant?: string, change: (body: Json) => Json = (body) => body): Walk => {
  const draft = drafts[type](standOf(walk));
  if (!draft) throw new Error(`There is no draft of a ${type}.`);
  const chosen = variant === undefined ? draft.variants[0] : draft.variants.find(({ name }) => name === variant);
  const sources = sourcesOf(walk.record).map(({ ref }) => ref);
  return accepted(submitDraft(walk, type, draft, change(bodyByRule(draft, chosen, sources))));
};

const eightCriteria = (body: Json, staged = true): Json => {
  if (!isObject(body)) throw new Error('A frame is an object.');
  const draftAcceptanceCriteria = Array.from({ length: 8 }, (_, index) => ({
    id: `criterion-0${index + 1}`,
    stage: staged && index % 2 === 0 ? 'diagnosis' : 'completion',
    requirement: 'The parser splits a text at each comma and keeps the blanks around it.',
    evidenceRequired: ['test output'],
  }));
  return { ...body, draftAcceptanceCriteria };
};

const grounded = (start: Beginning): Walk => ground(begun(start), files);
const briefAt = (walk: Walk): Brief => Brief.parse(briefOf(standOf(walk)));

describe('the brief of a phase', () => {
  it('keeps to the 8 KB that its reader is promised without the drafts of alternatives, at 16 sources and 8 criteria', () => {
    const frame = grounded({ mode: 'analyze_and_fix' });
    const compile = go(frame, 'ProblemFrame', undefined, (body) => eightCriteria(body));
    const review = go(compile, 'TaskContract');
    const revise = go(review, 'PromptReview', 'revise');
    const plan = go(review, 'PromptReview', 'pass');
    for (const walk of [frame, compile, review, revise, plan]) {
      const { alternatives, ...alone } = briefAt(walk);
      const { phase } = walk.snapshot.context;
      expect(bytes(alone), phase).toBeLessThanOrEqual(8192);
      expect(alternatives.map(({ type }) => type)).toContain('ClarificationRequest');
    }
  });

  it('is as small in the phases after the plan, with every order that makes a run longer', () => {
    for (const mode of intentModes) {
      const granted = ['repository.read', 'repository.write', 'shell.inspect', 'shell.execute'];
      let walk = grounded({ mode, topologyOverride: 'forensic', granted, commands: ['npm test', 'npm run lint'] });
      const wishes = ['proceed_to_fix', 'remediate'];
      while (walk.snapshot.context.status === 'running') {
        const { phase } = walk.snapshot.context;
        const { alternatives, ...alone } = briefAt(walk);
        const judges = /^agent_(?:3_(?:review|evidence)|5)/.test(phase);
        expect(bytes(alone), `${mode} ${phase}`).toBeLessThanOrEqual(judges ? 10_240 : 8192);
        const type = alternatives.find(({ opens }) => opens)?.type ?? phaseTable[phase].accepts[0];
        const draft = drafts[SubmittedType.parse(type)](standOf(walk));
        if (!draft) throw new Error(`There is no draft of a ${type}.`);
        const wished = draft.variants.find(({ name }) => wishes.includes(name));
        if (wished) wishes.splice(wishes.indexOf(wished.name), 1);
        const body = bodyByRule(draft, wished ?? draft.variants[0]);
        const submitted = type === 'ProblemFrame' ? eightCriteria(body, mode === 'analyze_and_fix') : body;
        walk = accepted(handInDraft(walk, SubmittedType.parse(type), draft, submitted));
      }
      expect(walk.snapshot.context.status, mode).toBe('completed');
    }
  });

  it('has a task of at most 600 characters in every phase, mode and topology', () => {
    for (const mode of intentModes)
      for (const topology of topologies)
        for (const phase of recordPhases)
          for (const granted of [undefined, []])
            for (const blockedBy of [null, 'question'] as const) {
              const { run, record } = standOf(begun({ mode, granted }));
              const task = taskOf({ run: { ...run, topology, phase, blockedBy }, record });
              expect(task.length, `${mode} ${topology} ${phase}: ${task}`).toBeLessThanOrEqual(600);
              expect(task).not.toBe('');
            }
  });

  it('is the same for the same snapshot and record', () => {
    const walk = grounded({ mode: 'analyze_only' });
    expect(JSON.stringify(briefOf(standOf(walk)))).toBe(JSON.stringify(briefOf(standOf(walk))));
  });

  it('tells the selected sources with the documents that hold them, and takes instruction files as rules', () => {
    const walk = grounded({ mode: 'plan_only' });
    const { sources, draft } = briefAt(walk);
    expect(sources.map(({ ref }) => ref)).toEqual(files.map(({ path }) => `repo://${path}`));
    for (const { ref, document, bytes: size } of sources) {
      const stored = walk.record.get(document);
      expect(stored?.type === 'ContextDocument' && stored.body.repositoryRef).toBe(ref);
      expect(stored?.type === 'ContextDocument' && stored.body.sizeBytes).toBe(size);
    }
    expect(sources.filter(({ trust }) => trust === 'instruction').map(({ ref }) => ref)).toEqual([
      'repo://src/module/part00.ts',
    ]);
    expect(draft?.applicableRuleRefs).toEqual(rulesOf(walk.record));
  });

  it('names an answered question in sourceRefs until it is cited, and a revision its contract and review', () => {
    const walk = grounded({ mode: 'report_only', topologyOverride: 'forensic' });
    expect(briefAt(walk).sourceRefs).toEqual([]);
    const revise = go(go(go(walk, 'ProblemFrame'), 'TaskContract'), 'PromptReview', 'revise');
    const { run, record } = standOf(revise);
    const lineage = ['artifact://run/question-01', 'artifact://run/answer'];
    expect(briefOf({ run: { ...run, lineage }, record }).sourceRefs).toEqual([
      ...lineage,
      ...['TaskContract', 'PromptReview'].map((type) =>
        String(record.entries().find((one) => one.type === type)?.id).replace(/^/, `artifact://${run.runId}/`),
      ),
    ]);
  });
});

describe('authority that forbids every contract', () => {
  const cases: readonly Readonly<{ mode: IntentMode; granted: readonly string[]; forbids: boolean }>[] = [
    { mode: 'analyze_only', granted: [], forbids: true },
    { mode: 'fix_only', granted: ['repository.write'], forbids: true },
    { mode: 'fix_only', granted: ['shell.execute'], forbids: false },
    { mode: 'analyze_and_fix', granted: ['shell.execute', 'repository.write'], forbids: true },
    { mode: 'analyze_and_fix', granted: ['repository.read'], forbids: false },
    { mode: 'plan_only', granted: [], forbids: false },
    { mode: 'report_only', granted: [], forbids: false },
  ];

  it('warns in the frame, and leaves the contract without a draft and the question first', () => {
    for (const { mode, granted, forbids } of cases) {
      const commands = granted.includes('shell.execute') ? ['npm test'] : [];
      const frame = grounded({ mode, granted, commands, topologyOverride: 'forensic' });
      expect(briefAt(frame).task.includes('Warning'), mode).toBe(forbids);
      const compile = briefAt(go(frame, 'ProblemFrame'));
      expect(compile.draft === null, mode).toBe(forbids);
      const first = compile.alternatives[0];
      expect(first?.type === 'ClarificationRequest', mode).toBe(forbids);
      if (!forbids) continue;
      expect(first?.variants?.[0]?.name).toBe('permission_expanding');
      expect(compile.task).toContain('permission_expanding');
      expect(compile.blanks).toEqual([]);
    }
  });
});

describe('permitted', () => {
  it('tells the grants that the mode or a denial drops', () => {
    const walk = begun({
      mode: 'analyze_only',
      granted: ['repository.read', 'repository.write', 'shell.inspect'],
      denied: ['shell.inspect'],
    });
    expect(briefAt(walk).permitted.dropped).toEqual([
      { capability: 'repository.write', reason: 'mode' },
      { capability: 'shell.inspect', reason: 'denied' },
    ]);
  });

  it('lets the repository be read while the context is grounded, and nothing else', () => {
    const { capabilities } = briefAt(begun({ mode: 'analyze_and_fix' })).permitted;
    expect(capabilities).toEqual([{ capability: 'repository.read', targets: ['**'] }]);
    expect(briefAt(begun({ mode: 'report_only' })).permitted.capabilities).toEqual([]);
    expect(briefAt(grounded({ mode: 'analyze_and_fix' })).permitted.capabilities).toEqual([]);
  });

  it('names for a node the six inspections, the exact commands and the hosts', () => {
    const walk = grounded({
      mode: 'analyze_and_fix',
      granted: actionCapabilities,
      commands: ['npm test'],
      hosts: ['example.org'],
      nativeSubagents: 'available',
    });
    const plan = go(go(go(walk, 'ProblemFrame'), 'TaskContract'), 'PromptReview');
    const { capabilities } = briefAt(go(plan, 'WorkPlan')).permitted;
    const targets = new Map(capabilities.map((one) => [one.capability, one.targets]));
    expect(targets.get('shell.inspect')).toEqual(inspectTargets);
    expect(targets.get('network.read')).toEqual(['example.org']);
    expect(targets.get('subagent.spawn')).toEqual(['at most 3 children']);
    // The diagnosis changes nothing, whatever was granted.
    expect(targets.has('repository.write')).toBe(false);
    expect(targets.has('shell.execute')).toBe(false);
  });
});

describe('rules shown', () => {
  it('are those of the book, in its words, with values of the run', () => {
    const texts = new Map([...ruleBook, ...schemaRules].map(({ code, text }): [string, string] => [code, text]));
    for (const type of SubmittedType.options)
      for (const mode of intentModes) {
        const shown = rulesShown(standOf(grounded({ mode })), type);
        expect(shown.length, type).toBeGreaterThan(0);
        expect(shown.length).toBeLessThanOrEqual(8);
        for (const { code, text } of shown) {
          expect(text.startsWith(String(texts.get(code)).replace(/\.$/, '')), `${type} ${code}: ${text}`).toBe(true);
          if (code.startsWith('ADM-')) expect(entriesFor(type).map((one) => one.code)).toContain(code);
        }
      }
  });

  it('begin with the answer that must be cited, when there is one', () => {
    const { run, record } = standOf(grounded({ mode: 'plan_only' }));
    const [first] = rulesShown(
      { run: { ...run, lineage: ['artifact://run/q', 'artifact://run/a'] }, record },
      'ProblemFrame',
    );
    expect(first?.code).toBe('ADM-CLR-05');
    expect(first?.text).toContain('artifact://run/q and artifact://run/a');
  });

  it('leave out what cannot be broken here', () => {
    const codes = (mode: IntentMode, topology: 'micro' | 'forensic') => {
      const { run, record } = standOf(grounded({ mode }));
      return rulesShown({ run: { ...run, topology }, record }, 'ProblemFrame').map(({ code }) => code);
    };
    expect(codes('report_only', 'micro')).toContain('ADM-FRAME-01');
    expect(codes('report_only', 'forensic')).not.toContain('ADM-FRAME-01');
  });
});

describe('a linked run', () => {
  it('offers its Evidence to facts with the provenance of its kind', () => {
    const { draft, blanks } = briefAt(grounded({ mode: 'plan_only', prior: linkedRun() }));
    expect(draft).not.toBeNull();
    const facts = blanks.find(({ path, kind }) => path === 'knownFacts' && kind === 'list');
    const choices = facts?.element?.blanks.find(({ path }) => path === 'provenance')?.choices;
    const { runId } = linkedRun();
    const of = (provenance: string, id: string) => ({ provenance, sourceRef: `artifact://${runId}/${id}` });
    expect(choices).toEqual(
      expect.arrayContaining([of('runtime', 'ev-log'), of('browser', 'ev-browser'), of('tool', 'ev-diff')]),
    );
    expect(JSON.stringify(choices)).not.toContain('ev-repository');
  });

  it('offers nothing once it is gone', () => {
    const { blanks } = briefAt(grounded({ mode: 'plan_only', prior: { ...linkedRun(), exists: false } }));
    expect(JSON.stringify(blanks)).not.toContain('ev-log');
  });
});

describe('system texts', () => {
  it('stand behind every instruction that an action names, also with a hyphen in the role', () => {
    for (const topology of topologies)
      for (const phase of recordPhases) {
        const ref = instructionRefOf({ phase, topology });
        expect(systemTextOf(ref), ref).toBeDefined();
        expect(systemTextOf(ref.replace('_', '-'))).toBe(systemTextOf(ref));
      }
  });

  it('name the weights and the gates of the readiness rubric', () => {
    const text = systemTexts.get('artifact://system/rubrics/contract-readiness-v1') ?? '';
    for (const { id, question } of contractGates) expect(text).toContain(`${id}: ${question}`);
    for (const weight of ['intentFidelity (0.3)', 'contextEfficiency (0.05)']) expect(text).toContain(weight);
    expect(systemTexts.has('artifact://system/rubrics/execution-quality-v1')).toBe(true);
    expect(systemTextOf('artifact://system/roles/nobody-v1')).toBeUndefined();
  });
});
