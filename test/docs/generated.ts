import { instructionLines } from '../../schemas/expected.ts';
import { failureCodes, failureKinds } from '../../schemas/failure.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import { type ArtifactType, phaseTable, producers, submittedTypes } from '../../schemas/vocabulary.ts';
import { codeLines, kindLines } from './errorLines.ts';
import { machinePages } from './machinePages.ts';
import { rulesPage } from './rulesPage.ts';

/** Every file of docs/ that is made from the code. `npm run docs` writes them, a test compares them. */

const controllerTypes = ['NextAction', 'RunEnvelope', 'ContextManifest', 'ReceiptAudit', 'TraceEvent'] as const;
const publishedTypes: readonly ArtifactType[] = [...submittedTypes, ...controllerTypes];

/** The folders and files that hold nothing else. */
export const generatedPlaces = ['docs/machines', 'docs/schemas', 'docs/errors.md', 'docs/rules.md'] as const;

const phasesOf = (type: ArtifactType): string => {
  const rows = Object.values(phaseTable);
  const taking = rows.filter(({ accepts, supports }) => [...accepts, ...supports].some((taken) => taken === type));
  return taking.map(({ wire }) => wire).join(', ');
};

const producerOf = (type: ArtifactType): string => {
  if (type === 'ClarificationRequest') return 'the role of the phase';
  return new Map<string, string>(Object.entries(producers)).get(type)?.replaceAll('_', ' ') ?? 'controller';
};

const schemaPage = (): string => `# Schemas

The structure of each body as JSON Schema 2020-12, as a host gets it with its action. What a schema cannot say (rules
across fields, references, limits in bytes) a refusal tells. \`npm run docs\` writes these files.

| Type | Producer | Taken in |
| --- | --- | --- |
${publishedTypes.map((type) => `| [${type}](${type}.json) | ${producerOf(type)} | ${phasesOf(type)} |`).join('\n')}
`;

const errorPage = (): string => {
  const sections = failureKinds.map((kind) => {
    const codes = Object.entries(codeLines).filter(
      ([code]) => new Map(Object.entries(failureCodes)).get(code) === kind,
    );
    const rows = codes.map(([code, line]) => `| \`${code}\` | ${line} |`);
    return [`## ${kind}`, '', kindLines[kind], '', '| Code | What happened |', '| --- | --- |', ...rows].join('\n');
  });
  return `# Error codes

A call that fails answers with \`ok: false\` and one shape, told in [protocol.md](protocol.md#refusals). The code is stable.
Its kind says whether trying again can help. \`npm run docs\` writes this page.

${sections.join('\n\n')}

## What \`expected\` says

A finding with \`expected\` can be mended without knowing its rule. \`path\` is a place in the body, or the name of an
argument of the call. What stands in \`expected\` is one of three:

- an instruction, an object of the keys below and no other;
- a list, where a single value stands at \`path\`: the values that are taken there, the one that asks least of the rest of
  the body first;
- anything else, \`null\` included: the value that is right at \`path\`.

| Instruction | What it asks for |
| --- | --- |
${Object.entries(instructionLines)
  .map(
    ([instruction, line]) =>
      `| ${instruction
        .split(', {')
        .map((one, index) => `\`${index > 0 ? `{${one}` : one}\``)
        .join(', ')} | ${line} |`,
  )
  .join('\n')}

A finding without \`expected\` rests on a judgement, a fact or words that only the author has; its \`fix\` says what to do.
A mended body is judged anew: what it breaks then is told in the same way.
`;
};

/** Path and text of every generated file; the same on each call. */
export const generatedFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map(await machinePages());
  for (const type of publishedTypes) {
    files.set(`docs/schemas/${type}.json`, `${JSON.stringify(hostSchema(type), null, 2)}\n`);
  }
  files.set('docs/schemas/README.md', schemaPage());
  files.set('docs/errors.md', errorPage());
  files.set('docs/rules.md', rulesPage());
  return files;
};
