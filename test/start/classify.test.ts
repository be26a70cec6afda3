import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modeCeiling } from '../../machines/permissions/modes.ts';
import { type Classification, classify } from '../../machines/start/classify.ts';
import { type Classified, forensicSignals, pathsIn, signalsOf } from '../../machines/start/signals.ts';
import { type ActionCapability, actionCapabilities, intentModes, topologies } from '../../schemas/vocabulary.ts';

const start = (over: Partial<Classified>): Classified => ({
  request: 'What does the app do?',
  mode: 'report_only',
  granted: [],
  effective: [],
  commands: [],
  hosts: [],
  ...over,
});

const readWrite: readonly ActionCapability[] = ['repository.read', 'repository.write'];
const fix = (request: string, over: Partial<Classified> = {}): Classified =>
  start({ request, mode: 'fix_only', granted: readWrite, effective: readWrite, ...over });

const as = (topology: string, rationaleCode: string, signals: readonly string[] = [rationaleCode]) => ({
  ok: true,
  topology,
  rationaleCode,
  signals,
});

describe('the precedence table', () => {
  it('row 1: takes an override to micro for a short report', () => {
    expect(classify(start({}), 'micro')).toEqual(as('micro', 'MICRO_SHORT_REPORT_ONLY'));
  });
  it('row 1: takes an override to micro for a short fix, although it may write (D8)', () => {
    expect(classify(fix('Correct src/app.ts.'), 'micro')).toEqual(as('micro', 'MICRO_SHORT_FIX_ONLY'));
  });
  it.each([
    ['a signal', start({ request: 'Describe the architecture.' }), ['COMPLEXITY_KEYWORD'], 0],
    ['no gate', start({ mode: 'plan_only' }), [], 1],
    ['a long report', start({ request: 'a'.repeat(201) }), [], 1],
    ['a fix without a file', fix('Correct the app.'), ['ELEVATED_CAPABILITY'], 1],
    ['analyze_and_fix', start({ mode: 'analyze_and_fix' }), ['ANALYZE_AND_FIX'], 1],
  ])('row 1: refuses an override to micro for %s', (_name, input, signals, misses) => {
    const outcome = classify(input, 'micro');
    expect(outcome).toMatchObject({ ok: false, topology: 'micro', signals });
    expect(outcome.ok ? -1 : outcome.misses.length).toBe(misses);
  });
  it('row 2: takes an override to standard without a forensic signal', () => {
    expect(classify(start({}), 'standard')).toEqual(as('standard', 'OVERRIDE_STANDARD'));
  });
  it('row 2: refuses an override to standard with one, a short fix included', () => {
    expect(classify(fix('Correct src/app.ts.'), 'standard')).toMatchObject({
      ok: false,
      topology: 'standard',
      signals: ['ELEVATED_CAPABILITY'],
    });
  });
  it('row 3: always takes an override to forensic, its signals sorted with it', () => {
    expect(classify(start({}), 'forensic')).toEqual(as('forensic', 'OVERRIDE_FORENSIC'));
    expect(classify(start({ mode: 'analyze_and_fix', hosts: ['a.example'] }), 'forensic')).toEqual(
      as('forensic', 'OVERRIDE_FORENSIC', ['ANALYZE_AND_FIX', 'NETWORK_READ', 'OVERRIDE_FORENSIC']),
    );
  });
  it('row 4: a short fix of one file is micro', () => {
    expect(classify(fix('Correct src/app.ts.'))).toEqual(as('micro', 'MICRO_SHORT_FIX_ONLY'));
  });
  it('row 5: any signal makes the run forensic, the first by name says why', () => {
    expect(
      classify(
        start({ request: `Migrate it. ${'x'.repeat(512)}`, mode: 'analyze_and_fix', granted: ['subagent.spawn'] }),
      ),
    ).toEqual(
      as('forensic', 'ANALYZE_AND_FIX', [
        'ANALYZE_AND_FIX',
        'COMPLEXITY_KEYWORD',
        'ELEVATED_CAPABILITY',
        'LONG_REQUEST',
      ]),
    );
  });
  it.each(['runtime.inspect', 'browser.inspect', 'shell.inspect'] as const)(
    'row 6: analyze_only with %s is standard',
    (capability) => {
      expect(classify(start({ mode: 'analyze_only', granted: [capability] }))).toEqual(
        as('standard', 'INVESTIGATIVE_MODE'),
      );
    },
  );
  it('row 7: plan_only is standard', () => {
    expect(classify(start({ mode: 'plan_only', granted: ['repository.read'] }))).toEqual(as('standard', 'PLAN_ONLY'));
  });
  it('row 8: fix_only that may only read is standard', () => {
    expect(classify(start({ mode: 'fix_only', granted: ['repository.read'] }))).toEqual(as('standard', 'FIX_ONLY'));
  });
  it('row 9: a short report is micro', () => {
    expect(classify(start({ granted: ['repository.read'] }))).toEqual(as('micro', 'MICRO_SHORT_REPORT_ONLY'));
  });
  it('row 10: everything else is standard', () => {
    expect(classify(start({ request: 'Is it either of them?' }))).toEqual(as('standard', 'DEFAULT_STANDARD'));
    expect(classify(start({ mode: 'analyze_only', granted: ['repository.read'] }))).toEqual(
      as('standard', 'DEFAULT_STANDARD'),
    );
  });
});

describe('signals', () => {
  it.each([
    ['ANALYZE_AND_FIX', start({ mode: 'analyze_and_fix' })],
    ['NETWORK_READ', start({ hosts: ['a.example'] })],
    ['SHELL_EXECUTE_ALLOWLIST', start({ commands: ['npm test'] })],
    ['LONG_REQUEST', start({ request: 'a'.repeat(513) })],
    ['LONG_REQUEST', start({ request: Array.from({ length: 13 }, (_, line) => `line ${line}`).join('\n') })],
    ...[
      'refactor',
      'MIGRATE',
      'the Architecture',
      'security audit',
      'across codebase',
      'across the codebase',
      'multifile',
      'multi-file',
    ].map((words) => ['COMPLEXITY_KEYWORD', start({ request: `Do ${words} now` })] as const),
    ...(
      [
        'repository.write',
        'repository.delete',
        'shell.execute',
        'runtime.restart',
        'browser.mutate',
        'external.write',
        'subagent.spawn',
      ] as const
    ).map((capability) => ['ELEVATED_CAPABILITY', start({ granted: [capability] })] as const),
  ] as const)('%s alone is told', (signal, input) => {
    expect(signalsOf(input)).toEqual([signal]);
  });
  it.each([
    ['512 characters, blanks around them', start({ request: `  ${'a'.repeat(512)}\n\n` })],
    ['12 lines', start({ request: Array.from({ length: 12 }, () => 'line').join('\n') })],
    ['part of a longer word', start({ request: 'A refactoring of premigrate and architectures' })],
    [
      'inspecting capabilities',
      start({ granted: ['repository.read', 'shell.inspect', 'runtime.inspect', 'browser.inspect', 'network.read'] }),
    ],
  ])('none for %s', (_name, input) => {
    expect(signalsOf(input)).toEqual([]);
  });
  it('counts UTF-16 units', () => {
    expect(signalsOf(start({ request: '\u{1F600}'.repeat(257) }))).toEqual(['LONG_REQUEST']);
  });
});

describe('the micro gates', () => {
  it.each(['either', 'Or both', 'unclear', 'NOT SURE', 'choose between'])(
    'close on the divergence words "%s"',
    (words) => {
      expect(classify(start({ request: `I say ${words} of it` }))).toMatchObject({ topology: 'standard' });
      expect(classify(fix(`Correct src/app.ts, ${words} of it`))).toMatchObject({ topology: 'forensic' });
    },
  );
  it('take 200 characters and five lines, not more', () => {
    const exactly = (length: number): string => `Fix src/app.ts ${'a'.repeat(length - 15)}`;
    expect(classify(fix(exactly(200)))).toMatchObject({ topology: 'micro' });
    expect(classify(fix(exactly(201)))).toMatchObject({ topology: 'forensic' });
    expect(classify(fix('Fix src/app.ts\n1\n2\n3\n4'))).toMatchObject({ topology: 'micro' });
    expect(classify(fix('Fix src/app.ts\n1\n2\n3\n4\n5'))).toMatchObject({ topology: 'forensic' });
    expect(classify(start({ request: 'a'.repeat(200) }))).toMatchObject({ topology: 'micro' });
    expect(classify(start({ request: 'a'.repeat(201) }))).toMatchObject({ topology: 'standard' });
  });
  it('close the report to any grant but reading', () => {
    expect(classify(start({ granted: ['shell.inspect'] }))).toMatchObject({ topology: 'standard' });
  });
  it('close the fix to a complexity keyword, to more than read and write, and to less (D5)', () => {
    expect(classify(fix('Refactor src/app.ts'))).toMatchObject({ topology: 'forensic' });
    expect(classify(fix('Correct src/app.ts', { granted: [...readWrite, 'shell.inspect'] }))).toMatchObject({
      topology: 'forensic',
    });
    expect(classify(fix('Correct src/app.ts', { effective: ['repository.read'] }))).toMatchObject({
      topology: 'forensic',
      rationaleCode: 'ELEVATED_CAPABILITY',
    });
    expect(classify(fix('Correct src/app.ts', { effective: ['repository.read'] }), 'micro')).toMatchObject({
      ok: false,
    });
  });
  it('take an override to micro for a fix only where the write grant is the one thing against it (D8)', () => {
    const two = classify(fix('Correct src/app.ts and src/b.ts'), 'micro');
    expect(two).toMatchObject({
      ok: false,
      signals: ['ELEVATED_CAPABILITY'],
      misses: ['the request names 2 files, not one'],
    });
  });
});

describe('files that a request names (D8)', () => {
  it.each([
    ['Correct src/app.ts.', ['src/app.ts']],
    ['Correct `src/app.ts` and then look at (src/app.ts), "./src/app.ts" or **src/app.ts**:', ['src/app.ts']],
    ['see src/app.ts:12:3', ['src/app.ts']],
    [
      'a.ts b.tsx c.js d.jsx e.md f.json g.css h.html i.py j.rs k.go',
      ['a.ts', 'b.tsx', 'c.js', 'd.jsx', 'e.md', 'f.json', 'g.css', 'h.html', 'i.py', 'j.rs', 'k.go'],
    ],
    ['README.MD', ['README.MD']],
    ['src/a.ts,src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['src/a.ts/src/b.ts', ['src/a.ts', '/src/b.ts']],
    ['app/[id]/page.tsx and app/[slug]/page.tsx', ['app/[id]/page.tsx', 'app/[slug]/page.tsx']],
    ['types/app.d.ts', ['types/app.d.ts']],
    ['修正src/b.ts的文字', ['修正src/b.ts']],
    ['app.tsv app.js.map app.tsx1 data.jsonl file.txt', []],
    ['rename all .ts files (.tsx)', []],
    ['src/*.ts', null],
    ['src/{a,b}.ts', null],
  ])('%s', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths);
  });
  it('two of them make a fix forensic, one named twice does not', () => {
    expect(classify(fix('Correct src/a.ts and src/b.ts'))).toMatchObject({ topology: 'forensic' });
    expect(classify(fix('Correct src/a.ts, yes src/a.ts'))).toMatchObject({ topology: 'micro' });
    expect(classify(fix('Correct all of src/*.ts'))).toMatchObject({ topology: 'forensic' });
    expect(classify(fix('Correct the app'))).toMatchObject({ topology: 'forensic' });
  });
});

describe('for every start', () => {
  const capabilities = fc.subarray([...actionCapabilities]);
  const words = ['src/app.ts', 'src/b.ts', 'either', 'refactor', 'look', 'x'.repeat(150), '\n', 'architecture'];
  const anyStart = fc
    .record({
      request: fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
      mode: fc.constantFrom(...intentModes),
      granted: capabilities,
      denied: capabilities,
      commands: fc.constantFrom([], ['npm test']),
      hosts: fc.constantFrom([], ['a.example']),
    })
    .map(
      ({ denied, ...rest }): Classified => ({
        ...rest,
        effective: rest.granted.filter((one) => modeCeiling(rest.mode).includes(one) && !denied.includes(one)),
      }),
    );
  const outcome = (input: Classified): Classification => {
    const found = classify(input);
    if (!found.ok) throw new Error('a start without an override is always classified');
    return found;
  };

  it('analyze_and_fix is forensic; plan_only and analyze_only are never micro; a fix that may write is never standard', () => {
    fc.assert(
      fc.property(anyStart, (input) => {
        const { topology } = outcome(input);
        if (input.mode === 'analyze_and_fix') expect(topology).toBe('forensic');
        if (input.mode === 'plan_only' || input.mode === 'analyze_only') expect(topology).not.toBe('micro');
        if (input.mode === 'fix_only' && input.granted.includes('repository.write'))
          expect(topology).not.toBe('standard');
        if (topology === 'micro' && input.mode === 'fix_only')
          expect([...input.effective].sort()).toEqual([...readWrite]);
      }),
    );
  });
  it('an override never lowers what the signals ask for, and its signals are sorted', () => {
    fc.assert(
      fc.property(anyStart, fc.constantFrom(...topologies), (input, override) => {
        const found = classify(input, override);
        if (!found.ok) return;
        expect(found.topology).toBe(override);
        expect(found.signals).toEqual([...found.signals].sort());
        if (override === 'standard') expect(signalsOf(input)).toEqual([]);
        if (override === 'micro') expect(signalsOf(input).filter((one) => one !== 'ELEVATED_CAPABILITY')).toEqual([]);
      }),
    );
  });
  it('a rationale code is the first of its signals or stands alone', () => {
    fc.assert(
      fc.property(anyStart, (input) => {
        const { rationaleCode, signals } = outcome(input);
        expect(signals[0]).toBe(rationaleCode);
        if (signals.length > 1)
          expect(signals.every((one) => forensicSignals.some((known) => known === one))).toBe(true);
      }),
    );
  });
});
