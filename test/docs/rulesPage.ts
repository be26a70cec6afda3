import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LawEntry, law, noRules } from '../../machines/law.ts';
import { schemaRules } from '../../schemas/ruleBook.ts';
import { namedTestsBelow } from '../law/namedTests.ts';

/** The page of the rules, made from the law and from the tests that are named by its codes. */

/** What the families of codes are about, in the order of the page. */
const families: Readonly<Record<string, string>> = {
  TR: 'Calls',
  COM: 'Every submission',
  REF: 'References',
  KIND: 'What kind of Evidence proves what',
  LIN: 'A linked run',
  CLR: 'Questions and answers',
  START: 'Starting a run',
  GROUND: 'Grounding',
  FRAME: 'ProblemFrame',
  SCEN: 'ScenarioSpec',
  CONTRACT: 'TaskContract',
  REVISE: 'A revised TaskContract',
  REVIEW: 'PromptReview',
  PLAN: 'WorkPlan',
  ORDER: 'Work orders in reviews and audits',
  EVID: 'Evidence',
  RESULT: 'WorkResult',
  QUALITY: 'QualityReview',
  AUDIT: 'ReleaseAudit',
  REPORT: 'UserReport',
  MCH: 'Decisions that the machine takes',
  ESC: 'Escalation',
  PACK: 'Contract and plan of a micro run',
  RECEIPT: 'Receipts',
  INT: 'Integrity',
};

/** The generator runs bundled, far from the sources: `npm run docs` and the tests both start in the project. */
const testFolder = (): string => join(process.cwd(), 'test');

const cell = (text: string): string => text.replaceAll('|', '\\|');
const listOf = (words: readonly string[]): string => (words.length > 0 ? words.join(', ') : '–');
const numberOf = (code: string): number => Number(code.split('-').at(-1));

const familyOf = (code: string): string => code.split('-')[1] ?? '';

const lawTable = (entries: readonly LawEntry[], filesOf: (code: string) => readonly string[]): readonly string[] => [
  '| Code | What must hold | Refused as | Reads | Tested in |',
  '| --- | --- | --- | --- | --- |',
  ...entries.map(({ code, text, refusal, reads }) =>
    [
      '',
      `<a id="${code.toLowerCase()}"></a>${code}`,
      cell(text),
      refusal === null ? '–' : `\`${refusal}\``,
      cell(listOf(reads)),
      listOf(filesOf(code)),
      '',
    ]
      .join(' | ')
      .trim(),
  ),
];

/** How many bodies of the conformance data each schema rule refuses. */
const samplesOf = (folder: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const path of readdirSync(join(folder, 'conformance', 'artifacts'), { recursive: true, encoding: 'utf8' })) {
    const code = /invalid-(SCH-[A-Z]+-\d+)/.exec(path)?.[1];
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
};

/** The test files that hold a code at all, for rules without a sample. */
const naming = (folder: string): ((code: string) => readonly string[]) => {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
  return (code) => texts.filter(({ text }) => text.includes(code)).map(({ path }) => path);
};

const schemaTable = (folder: string): readonly string[] => {
  const samples = samplesOf(folder);
  const filesOf = naming(folder);
  return [
    '| Code | Of | What must hold | Tested by |',
    '| --- | --- | --- | --- |',
    ...schemaRules.map(({ code, on, text }) => {
      const count = samples.get(code);
      const proof = count === undefined ? listOf(filesOf(code)) : `${count} ${count === 1 ? 'body' : 'bodies'}`;
      return `| ${code} | ${on} | ${cell(text)} | ${proof} |`;
    }),
  ];
};

/** The text of `docs/rules.md`. */
export const rulesPage = (): string => {
  const folder = testFolder();
  const tests = namedTestsBelow(folder);
  const filesOf = (code: string): readonly string[] => [
    ...new Set(tests.filter((test) => test.code === code).map(({ file }) => file)),
  ];
  const sections = Object.entries(families).flatMap(([family, title]) => {
    const entries = law
      .filter(({ code }) => familyOf(code) === family)
      .toSorted((one, other) => numberOf(one.code) - numberOf(other.code));
    return [`## ${title}`, '', ...lawTable(entries, filesOf), ''];
  });
  const none = Object.entries(noRules).map(([code, why]) => `| ${code} | ${cell(why)} |`);
  return `${[
    '# Rules',
    '',
    'Everything that must hold before a call changes a run. A refusal names the code of each rule that was broken, and the',
    'sentence here is the one that briefs show. What a refusal is made of is told in [protocol.md](protocol.md#refusals), its',
    'codes in [errors.md](errors.md). `npm run docs` writes this page; test files are those below `test/`.',
    '',
    ...sections,
    '## Rows that are no rule of their own',
    '',
    '| Code | Why |',
    '| --- | --- |',
    ...none,
    '',
    '## Schemas',
    '',
    'What a schema says beside the structure in [schemas](schemas/README.md). A body that breaks it is refused as `invalid_body`, an',
    'argument as `invalid_arguments`; nothing but the body itself is read. Bodies that each rule refuses stand in',
    '`test/conformance/artifacts`, and `schemas/conformance.test.ts` holds every one of them against it.',
    '',
    ...schemaTable(folder),
  ].join('\n')}\n`;
};
