import { createHash } from 'node:crypto';
import { commonTokens, declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What Stryker needs to know of this project: what is not law, and which faults a sample plants. */

/**
 * Wording is not law: a string or template with a blank in it is a sentence for readers, and so is all that stands under
 * these names of a rule, or as the third argument of those that make a rule of a code, a text and what it reads.
 */
const forReaders = new Set(['text', 'fix', 'reads']);
const makers = new Set(['each', 'lineageRule', 'kindRule']);
const wording = {
  shouldIgnore({ node, parent, key }) {
    if (node.type === 'StringLiteral' && /\s/.test(node.value)) return 'Wording';
    if (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => /\s/.test(value.raw))) return 'Wording';
    if (node.type === 'ObjectProperty' && forReaders.has(node.key.name)) return 'Wording';
    if (node.type === 'ArrayExpression' && key === 2 && makers.has(parent.callee?.name)) return 'Wording';
    return undefined;
  },
};

/** The end of a path: the same whatever folder the project lies in. */
const lastOf = (fileName) => fileName.split('/').slice(-2).join('/');

/**
 * Lets through one fault in so many (`share`), chosen by a hash of the seed and of what the fault is: the same seed plants
 * the same faults wherever it runs. The others are told as invalid, which leaves them out of the score.
 */
class Sample {
  static inject = [commonTokens.options];
  constructor({ sample = {} }) {
    this.share = sample.share ?? 1;
    this.seed = sample.seed ?? 1;
  }
  async init() {}
  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.verdict(mutant)]));
  }
  verdict({ fileName, location: { start, end }, mutatorName, replacement }) {
    const what = [
      this.seed,
      lastOf(fileName),
      start.line,
      start.column,
      end.line,
      end.column,
      mutatorName,
      replacement,
    ];
    const drawn = createHash('sha256').update(what.join('|')).digest().readUInt32BE() / 2 ** 32;
    return drawn < this.share ? { status: 'passed' } : { status: 'compileError', reason: 'Not in the sample.' };
  }
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'wording', wording),
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
];
