import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../schemas/tools/parse.ts';
import { type ToolName, toolArguments } from '../../schemas/tools.ts';

const token = { run_id: 'run-1', action_id: 'action:run-1:3', expected_run_version: 3 };
const start = { original_request: 'Do it.', mode: 'plan_only' };

/** The least that each tool takes. */
const least: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  telic_start_run: start,
  telic_ground_context: token,
  telic_get_next_action: { run_id: 'run-1' },
  telic_submit_artifact: token,
  telic_cancel_run: token,
  telic_list_runs: {},
  telic_get_run: { run_id: 'run-1' },
  telic_get_artifact: { run_id: 'run-1', artifact_id: 'frame-01' },
  telic_get_trace: { run_id: 'run-1' },
  telic_check_tool_action: { ...token, capability: 'shell.exec' },
  telic_replay_run: { run_id: 'run-1' },
};
const names = Object.keys(toolArguments).filter((name): name is ToolName => name in least);

const read = (tool: ToolName, more: Readonly<Record<string, unknown>>) =>
  parseArguments(tool, { ...least[tool], ...more });
const codesOf = (tool: ToolName, more: Readonly<Record<string, unknown>>) => {
  const parsed = read(tool, more);
  return parsed.ok ? [] : parsed.findings.map(({ path, code }) => `${path} ${code}`);
};
const firstOf = (tool: ToolName, more: Readonly<Record<string, unknown>>) => {
  const parsed = read(tool, more);
  if (parsed.ok) throw new Error('the arguments were taken');
  return parsed.findings[0];
};

describe('arguments of every tool', () => {
  test.each(names)('%s takes its required arguments alone', (tool) => {
    expect(read(tool, {})).toEqual({ ok: true, args: least[tool] });
  });

  test.each(names)('%s misses each required argument by name', (tool) => {
    for (const name of Object.keys(least[tool])) {
      const { [name]: _, ...rest } = least[tool];
      const parsed = parseArguments(tool, rest);
      expect(parsed).toMatchObject({ ok: false, findings: [{ path: name }] });
    }
  });

  test('say of a wrong id where the right one stands', () => {
    const ref = 'artifact://run-1/frame-01';
    expect(firstOf('telic_get_artifact', { artifact_id: ref })?.fix).toBe('Send the id alone: frame-01.');
    expect(firstOf('telic_get_artifact', { artifact_id: 'frame 01/' })?.fix).toMatch(/behind the last slash/);
    expect(firstOf('telic_start_run', { prior_run_id: 'run-1' })?.fix).toMatch(/telic_list_runs/);
    expect(firstOf('telic_get_run', { run_id: 'the last one' })?.fix).toMatch(/telic_list_runs/);
    expect(firstOf('telic_cancel_run', { action_id: 'action 3' })?.fix).toMatch(/next action/);
  });

  test('ask for a text where blanks were sent', () => {
    expect(firstOf('telic_start_run', { original_request: ' \n' })).toMatchObject({
      code: 'ADM-START-01',
      fix: 'Fill original_request in.',
    });
  });

  test.each(names)('%s refuses an argument that it does not know, by name', (tool) => {
    expect(firstOf(tool, { authorisation_denied: ['shell.execute'] })).toMatchObject({
      path: 'authorisation_denied',
      code: 'SCH-KEY-01',
      message: `${tool} takes no argument "authorisation_denied"`,
      expected: Object.keys(toolArguments[tool].shape),
    });
  });

  test.each(names)('%s takes null for each optional argument as absent', (tool) => {
    const optional = Object.keys(toolArguments[tool].shape).filter((name) => !(name in least[tool]));
    expect(read(tool, Object.fromEntries(optional.map((name) => [name, null])))).toEqual({
      ok: true,
      args: least[tool],
    });
  });

  test.each(names)('%s takes no null for a required argument', (tool) => {
    for (const name of Object.keys(least[tool]))
      expect(read(tool, { [name]: null })).toMatchObject({ ok: false, findings: [{ path: name }] });
  });

  test('absent and null arguments count as none, anything but an object is refused', () => {
    expect(parseArguments('telic_list_runs', undefined)).toEqual({ ok: true, args: {} });
    expect(parseArguments('telic_list_runs', null)).toEqual({ ok: true, args: {} });
    for (const sent of ['{}', [], 1, true])
      expect(parseArguments('telic_list_runs', sent)).toMatchObject({ ok: false, findings: [{ path: '' }] });
  });

  test('every wrong argument is told at once', () => {
    expect(codesOf('telic_cancel_run', { run_id: '-', action_id: 7, expected_run_version: 0, why: 1 }).sort()).toEqual([
      'action_id SCH-TYPE-01',
      'expected_run_version SCH-NUM-01',
      'run_id SCH-ID-01',
      'why SCH-KEY-01',
    ]);
  });

  test('a misspelt argument is told with its right name', () => {
    expect(firstOf('telic_start_run', { authorizationDenied: [] })?.fix).toBe('Rename it to authorization_denied.');
  });

  test('an own __proto__ key is refused like any other', () => {
    const sent: unknown = JSON.parse('{"__proto__": {"limit": 3}}');
    expect(parseArguments('telic_list_runs', sent)).toMatchObject({ ok: false, findings: [{ path: '__proto__' }] });
  });
});

describe('whole numbers', () => {
  const version = (value: unknown) => read('telic_cancel_run', { expected_run_version: value });

  test('every plain digit string from 1 on is the number that it spells', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (number) => {
        expect(version(String(number))).toEqual({ ok: true, args: { ...token, expected_run_version: number } });
      }),
    );
  });

  test('no other string ever becomes a number', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^\d{1,16}$/.test(text)),
        (text) => {
          expect(version(text).ok).toBe(false);
        },
      ),
    );
  });

  test.each(['', '0', '1e3', '12px', '0x10', ' 1', '1 ', '+1', '-1', '1.0', '９', '9007199254740993', true, [1], 1.5])(
    '%j is refused as a version',
    (value) => expect(version(value).ok).toBe(false),
  );

  test('digit strings pass inside the budget too', () => {
    expect(read('telic_ground_context', { budget: { max_files: '12', max_file_bytes: null } })).toEqual({
      ok: true,
      args: { ...token, budget: { max_files: 12 } },
    });
  });

  test('a text of digits stays a text', () => {
    expect(read('telic_start_run', { original_request: '42' })).toMatchObject({ args: { original_request: '42' } });
  });
});

describe('lists and objects sent as JSON text', () => {
  test.each([
    ['telic_start_run', 'authorization_granted', '["shell.execute"]', 'array'],
    ['telic_start_run', 'host_capabilities', '[]', 'array'],
    ['telic_start_run', 'network_read_domains', 'example.com', 'array'],
    ['telic_ground_context', 'active_paths', '["src"]', 'array'],
    ['telic_ground_context', 'budget', '{"max_files":1}', 'object'],
    ['telic_get_next_action', 'parts', 'brief', 'array'],
    ['telic_submit_artifact', 'source_refs', '[]', 'array'],
  ] as const)('%s refuses %s as text and names its type', (tool, argument, value, type) => {
    const finding = firstOf(tool, { [argument]: value });
    expect(finding).toMatchObject({ path: argument, code: 'SCH-TYPE-01', expected: { type } });
    expect(finding?.fix).toBe(`Send ${argument} as a JSON ${type}, not as text.`);
  });

  test('a body sent as text is pointed to body_json', () => {
    const finding = firstOf('telic_submit_artifact', { body: '{"id":"x"}' });
    expect(finding).toMatchObject({ path: 'body', code: 'SCH-TYPE-01' });
    expect(finding?.fix).toContain('body_json');
  });

  test.each([[[]], [null], [7]])('a body that is %j is no object', (body) => {
    const parsed = read('telic_submit_artifact', { body });
    if (body === null) expect(parsed).toEqual({ ok: true, args: token });
    else expect(parsed).toMatchObject({ ok: false, findings: [{ path: 'body', code: 'SCH-TYPE-01' }] });
  });

  test('a body is handed on as it is, own __proto__ keys included', () => {
    const body: unknown = JSON.parse('{"id":"x","__proto__":{"a":1}}');
    const parsed = parseArguments('telic_submit_artifact', { ...token, body });
    expect(parsed.ok && parsed.args.body).toBe(body);
  });
});

describe('codes of admission', () => {
  const many = (count: number, item: string) => Array.from({ length: count }, () => item);
  test.each([
    ['telic_start_run', { original_request: '' }, 'original_request ADM-START-01'],
    ['telic_start_run', { original_request: ' \n ' }, 'original_request ADM-START-01'],
    ['telic_start_run', { original_request: 'a'.repeat(32_769) }, 'original_request ADM-START-02'],
    ['telic_start_run', { original_request: '\u{1f600}'.repeat(16_385) }, 'original_request ADM-START-02'],
    ['telic_start_run', { host_name: '' }, 'host_name ADM-START-03'],
    ['telic_start_run', { host_name: 'h'.repeat(129) }, 'host_name SCH-LEN-01'],
    ['telic_start_run', { host_capabilities: many(257, 'repository.read') }, 'host_capabilities ADM-START-04'],
    ['telic_start_run', { authorization_denied: many(257, 'repository.read') }, 'authorization_denied ADM-START-04'],
    ['telic_start_run', { shell_execute_allowlist: many(257, 'ls') }, 'shell_execute_allowlist ADM-START-05'],
    ['telic_start_run', { network_read_domains: many(257, 'a.b') }, 'network_read_domains ADM-START-06'],
    ['telic_start_run', { authorization_granted: ['repository.erase'] }, 'authorization_granted.0 ADM-START-11'],
    ['telic_start_run', { prior_run_id: 'run-1' }, 'prior_run_id SCH-ID-01'],
    ['telic_start_run', { mode: 'Plan_only' }, 'mode SCH-ENUM-01'],
    ['telic_start_run', { topology_override: 'tiny' }, 'topology_override SCH-ENUM-01'],
    ['telic_submit_artifact', { artifact_type: 'Poem' }, 'artifact_type ADM-COM-02'],
    ['telic_submit_artifact', { source_refs: ['http://x'] }, 'source_refs.0 ADM-REF-01'],
    ['telic_submit_artifact', { source_refs: many(257, 'repo://a') }, 'source_refs ADM-REF-01'],
    ['telic_submit_artifact', { clarification_response: '' }, 'clarification_response ADM-CLR-06'],
    ['telic_submit_artifact', { clarification_response: 'a'.repeat(32_769) }, 'clarification_response ADM-CLR-07'],
    ['telic_submit_artifact', { body_json: 'a'.repeat(2_097_153) }, 'body_json SCH-LEN-01'],
    ['telic_list_runs', { limit: 0 }, 'limit ADM-TR-13'],
    ['telic_list_runs', { limit: 101 }, 'limit ADM-TR-13'],
    ['telic_list_runs', { limit: 'ten' }, 'limit ADM-TR-13'],
    ['telic_get_trace', { limit: 501 }, 'limit ADM-TR-14'],
    ['telic_get_trace', { after_sequence: -1 }, 'after_sequence ADM-TR-14'],
    ['telic_get_run', { limit: 501 }, 'limit SCH-NUM-01'],
    ['telic_ground_context', { budget: { max_files: 257 } }, 'budget.max_files SCH-NUM-01'],
    ['telic_ground_context', { budget: { files: 1 } }, 'budget SCH-KEY-01'],
    ['telic_ground_context', { active_paths: ['a'.repeat(1025)] }, 'active_paths.0 SCH-LEN-01'],
    ['telic_check_tool_action', { capability: 'c'.repeat(65) }, 'capability SCH-LEN-01'],
    ['telic_get_next_action', { parts: ['rules'] }, 'parts.0 SCH-ENUM-01'],
  ] as const)('%s %o is %s', (tool, more, wanted) => {
    expect(codesOf(tool, more)).toEqual([wanted]);
  });

  test.each([
    ['telic_start_run', { original_request: 'a'.repeat(32_768), host_name: 'h'.repeat(128) }],
    ['telic_list_runs', { limit: 100 }],
    ['telic_get_trace', { limit: 500, after_sequence: 0 }],
    ['telic_submit_artifact', { source_refs: Array.from({ length: 256 }, (_, index) => `repo://f${index}`) }],
    // What only the controller writes is taken here, so that the machine refuses it in its own words.
    ['telic_submit_artifact', { artifact_type: 'ReceiptAudit' }],
    ['telic_check_tool_action', { capability: 'no.such.capability' }],
  ] as const)('%s takes %o', (tool, more) => expect(read(tool, more).ok).toBe(true));
});
