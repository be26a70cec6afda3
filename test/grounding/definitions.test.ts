import { expect, it } from 'vitest';
import { definesName } from '../../src/grounding/content/definitions.ts';
import { groundIn, repository } from './repository.ts';

const defines = (text: string): boolean => {
  const start = text.indexOf('openGate');
  return definesName(text, start, start + 'openGate'.length);
};

it.each([
  'function openGate() {',
  'export default async function* openGate(',
  'class openGate extends Gate {',
  'interface openGate {',
  'type openGate = string;',
  'def openGate(self):',
  'pub fn openGate<T>(x: T) -> T {',
  'func (g *Gate) openGate() error {',
  'func openGate() {',
  'struct openGate;',
  '#define openGate 1',
  'const openGate = (a) => a;',
  'let openGate: Gate = close;',
  '  openGate(node, options) {',
  '    static async openGate({ a, b }) {',
  '    get openGate(): string {',
  'exports.openGate = function (a) {',
  '  openGate: async function () {',
  '  openGate: (a, b) => a,',
  'first();\n  openGate(a) {\n',
])('a name is defined in %j', (text) => {
  expect(defines(text)).toBe(true);
});

it.each([
  'openGate();',
  'return openGate(a, () => {',
  'openGate(a, () => {',
  'if (openGate(a)) {',
  'const x = openGate(a);',
  'const { openGate } = gate;',
  "import { openGate } from './gate';",
  'new openGate() {',
  '// see function in openGate',
  'let openGate;',
  'if (let == openGate) {',
  'gate.openGate = other;',
  'openGate',
])('a name is used, not defined, in %j', (text) => {
  expect(defines(text)).toBe(false);
});

it('reads a bounded part of the one line', () => {
  for (const unit of ['(', ') ', ' ', '<', ':=', 'get ', 'func (', '=', '{'])
    expect(defines(`${unit.repeat(100_000)}openGate${unit.repeat(100_000)}`)).toBe(false);
});

it('the file that defines what a request names comes before those that use it', async () => {
  const root = repository({
    'a.ts': 'openGate(1);\nopenGate(2);\nopenGate(3);\n',
    'b.ts': "import { openGate } from './z';\nopenGate(3);\n",
    'z.ts': 'export class Gate {\n  openGate(width) {\n    return width;\n  }\n}\n',
  });
  const { wire } = await groundIn(root, { request: 'Where is openGate defined?' });
  expect(wire.selected_sources[0]).toMatchObject({
    path: 'z.ts',
    score: 400,
    reason: expect.stringContaining('definition of "opengate"'),
  });
});
