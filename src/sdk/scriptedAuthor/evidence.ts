import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { CapturedEvidence } from '../briefAuthor.ts';
import type { Look } from './look.ts';
import { headOf, type Stand } from './stand.ts';
import { clipped, withoutSecrets } from './wording.ts';

/** Below the bound of a text, as replaced lines may make it longer. */
const longestContent = 24_000;

/** What Evidence says of a look; lines that look like a credential are left out and told. */
export const evidenceOf = (look: Look): Required<CapturedEvidence> => {
  const content = withoutSecrets(clipped(look.content, longestContent));
  const finding = withoutSecrets(look.finding);
  return {
    kind: look.kind,
    capturedAt: look.at,
    summary: finding.text,
    contentType: look.contentType,
    content: content.text,
    sourceRefs: [...look.sourceRefs],
    redactions: [...content.redactions, ...finding.redactions.map((what) => `summary: ${what}`)],
    rationaleSummary: `What ${look.capability} gave for the current node.`,
  };
};

/** The look as Evidence. */
export const evidence = (stand: Stand, look: Look): BodyOf<'Evidence'> => ({
  ...headOf(stand, 'evidence'),
  encoding: 'utf8',
  ...evidenceOf(look),
});
