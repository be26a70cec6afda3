/** How far a line is looked at, before and behind a name. */
const longestSide = 200;

const keyword =
  /(?:^|[\s(;{,])(?:function\*?|class|interface|type|enum|struct|trait|union|def|fn|func(?: ?\([^()]*\))?|fun|sub|proc|module|namespace|record|protocol|#define) +$/;
const binding = /(?:^|[\s(;{,])(?:const|let|var|val) +$/;
const bound = /^ ?(?::[^=\n]*)?=(?![=>])/;
/** Nothing but words that stand before a method. */
const methodStart =
  /^\s*(?:(?:export|default|async|static|public|private|protected|internal|override|abstract|final|virtual|get|set) +)*[*#]?$/;
const methodEnd = /^ ?(?:<[^<>]*>)?\([^;]*\) ?(?::[^;{]+)?\{\s*$/;
/** `exports.name = function`, `name: function`, `name = (a) => `. */
const memberStart = /(?:^\s*|\.)$/;
const memberEnd = /^ ?[:=] ?(?:async )?(?:function\b|\([^;]*\) ?=>)/;

/**
 * Whether the name from `start` to `end` of a text stands where languages define one: behind a keyword such as
 * `function`, `class` or `def`, as a method with its body, as a member that is given a function. Reads one line at
 * most, and of that a bounded part; a heuristic, which no language is parsed for. Rule: grounding section 13.2.
 */
export function definesName(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - longestSide), start);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  if (keyword.test(before)) return true;
  const [after = ''] = text.slice(end, end + longestSide).split('\n', 1);
  if (binding.test(before)) return bound.test(after);
  return (methodStart.test(before) && methodEnd.test(after)) || (memberStart.test(before) && memberEnd.test(after));
}
