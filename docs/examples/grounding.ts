// What a run was grounded in: from the manifest to the text of each selected file, the best first.
import type { RunReader } from 'telic/sdk';

export interface Grounded {
  readonly path: string;
  /** Why it was selected. */
  readonly reason: string;
  /** The directory that an instruction file speaks for; null for content that gives no instructions. */
  readonly instructionScope: string | null;
  readonly content: string;
}

/** @param manifestRef the `contextManifestRef` of a next action */
export async function* documentsOf(reader: RunReader, manifestRef: string): AsyncIterable<Grounded> {
  const manifest = await reader.artifact(manifestRef);
  if (manifest.type !== 'ContextManifest') throw new Error(`${manifestRef} is no manifest.`);
  const { derivedRefs } = manifest.body;
  const candidates = manifest.body.candidates.filter((candidate) => candidate.decision === 'selected');
  // The documents stand in the order of the candidates: the first of these belongs to the first of those.
  for (const [index, { path, selectionReason }] of candidates.entries()) {
    const document = await reader.artifact(derivedRefs[index] ?? '');
    if (document.type !== 'ContextDocument') throw new Error(`${path} has no document.`);
    const { instructionScope, content } = document.body;
    yield { path, reason: selectionReason, instructionScope, content };
  }
}
