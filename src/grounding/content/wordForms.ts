/** Shorter stems are other words: `setting` is not `set`. */
const shortestStem = 4;

/**
 * The forms in which contents may have a word of a request: `watched` for `watch`, `watching`; `entitie` (as tokens
 * have plurals) for `entity`; `trimmed` for `trim`. Takes a token, gives tokens, a dozen at most, not itself. Pure.
 * English endings only: what comes of other words is found nowhere. Rule: grounding section 13.1.
 */
export function formsOf(term: string): readonly string[] {
  if (term.length < shortestStem || !/^[a-z]+$/.test(term)) return [];
  const forms = new Set<string>();
  for (const stem of stemsOf(term)) {
    if (stem.length < shortestStem) continue;
    forms.add(stem);
    const short = stem.endsWith('e') ? stem.slice(0, -1) : stem;
    forms.add(`${short}ed`);
    forms.add(`${short}ing`);
    if (/[^aeiou]y$/.test(stem)) forms.add(`${stem.slice(0, -1)}ie`).add(`${stem.slice(0, -1)}ied`);
    if (/(?:[sx]|ch|sh)$/.test(stem)) forms.add(`${stem}e`);
    if (/^[^aeiou]*[aeiou][bdgmnprt]$/.test(stem)) {
      forms.add(`${stem}${stem.slice(-1)}ed`);
      forms.add(`${stem}${stem.slice(-1)}ing`);
    }
  }
  forms.delete(term);
  return [...forms];
}

function stemsOf(term: string): readonly string[] {
  if (term.endsWith('ied')) return [`${term.slice(0, -3)}y`];
  if (term.endsWith('ie')) return [`${term.slice(0, -2)}y`];
  const ending = /(?:ed|ing)$/.exec(term)?.[0].length;
  if (ending !== undefined) {
    const short = term.slice(0, -ending);
    return /([bdgmnprt])\1$/.test(short) ? [short.slice(0, -1), short] : [short, `${short}e`];
  }
  if (/(?:[sx]|ch|sh)e$/.test(term)) return [term.slice(0, -1), term];
  return [term];
}
