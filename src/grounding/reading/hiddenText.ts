/** What a reader of the rendered page does not see: comments of markup, and link definitions that nothing links to. */
const definition = /^ {0,3}\[(?:\/\/|comment|_metadata_[^\]\n]{0,40})\]:[ \t]*(?:#|<>)[ \t]*([^\n]*)$/gim;

/**
 * Characters without a width. One is ordinary (a joiner in an emoji, a break inside a long word), and marks of
 * direction come in pairs at most; more of them in a row spell something out of sight.
 */
const invisible =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\u{e0100}-\\u{e01ef}';
const run = new RegExp(`[${invisible}]{3}`, 'u');
const tags = /[\u{e0000}-\u{e007f}]{3}/u;
const single = new RegExp(`[${invisible}\\u{e0000}-\\u{e007f}]`, 'gu');
/** The flag of a region is a black flag, its code in tags, and the tag that ends it. */
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu;

/** Whom such a text speaks to. */
const agent =
  /\b(?:ai|a\.i\.|llms?|agents?|assistants?|chatbots?|copilot|claude|codex|gemini|chatgpt|gpt|(?:language|ai) models?|system prompt)\b/i;
/** What it wants from them. */
const order =
  /\b(?:you (?:must|should|shall|have to|need to|are now|will)|must|always|never|do not|don't|instead|ensure|make sure|run|execute|fetch|download|send|upload|exfiltrate|reveal|print|read|write|delete|install|insert|approve|push|obey|follow|open|visit|post|instructions? (?:for|to))\b/i;
/** Speaks to an agent whoever is named. */
const overrule =
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instructions?|prompts?|rules?|guidelines?|directives?|messages?|guardrails?)\b|\bdo(?:n't| not) (?:tell|inform|mention (?:this|it) to|show (?:this|it) to|ask) the (?:user|human|developer)\b|\bwithout (?:telling|asking|informing) the (?:user|human|developer)\b/i;

/**
 * Whether a text holds words for agents where people do not see them: in a comment of markup, or in a run of characters
 * without a width. Takes any text; reads it a bounded number of times. A hint to the reader of a manifest and no more:
 * nothing is removed for it, and nothing follows from it. Rule: grounding section 13, item 13.
 */
export function hasHiddenText(content: string): boolean {
  if (hasInvisibleRun(content)) return true;
  for (const comment of hiddenParts(content)) {
    if (speaksToAgent(comment.replace(single, ''))) return true;
  }
  return false;
}

function hasInvisibleRun(content: string): boolean {
  return run.test(content) || (tags.test(content) && tags.test(content.replace(flag, '')));
}

function* hiddenParts(content: string): Generator<string> {
  for (let open = content.indexOf('<!--'); open >= 0; ) {
    const start = open + '<!--'.length;
    const close = content.indexOf('-->', start);
    // Without an end, the rest of the page is not shown.
    yield content.slice(start, close < 0 ? content.length : close);
    open = close < 0 ? -1 : content.indexOf('<!--', close + '-->'.length);
  }
  for (const [, text] of content.matchAll(definition)) yield text ?? '';
}

function speaksToAgent(text: string): boolean {
  return overrule.test(text) || (agent.test(text) && order.test(text));
}
