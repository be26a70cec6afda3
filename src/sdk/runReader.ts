import { type AnyArtifact, emptyRecord, parseArtifactUri, type RunRecord } from '../../machines/record.ts';
import { type ArtifactMeta, artifactIn, LeftOut, Piece, RunPage } from './answers.ts';
import type { Answer, CallTool } from './connectStdio.ts';

/** Reads the artifacts of one run; what was read once is not asked for again, as artifacts never change. */
export interface RunReader {
  /** Metadata of every artifact stored so far, insertion order. */
  metas(): Promise<readonly ArtifactMeta[]>;
  /**
   * One artifact with its body, by `artifact://<run>/<id>` or by id.
   * @throws RefusedError `artifact_not_found`
   */
  artifact(ref: string): Promise<AnyArtifact>;
  /** Every artifact but the context documents, which may be large; `artifact` reads those. */
  record(): Promise<RunRecord>;
}

/** The answer with the body that it had to leave out, read in pieces. */
const withBody = async (call: CallTool, answer: Answer): Promise<Answer> => {
  const left = LeftOut.safeParse(answer).data?.omitted.find(({ part }) => part === 'artifact.body')?.fetch;
  if (!left) return answer;
  let json = '';
  for (;;) {
    const { artifact } = Piece.parse(await call(left.tool, { ...left.arguments, offset: json.length }));
    json += artifact.text;
    if (artifact.text === '' || json.length >= artifact.total) break;
  }
  const meta = typeof answer.artifact === 'object' ? answer.artifact : {};
  return { ...answer, artifact: { ...meta, body: JSON.parse(json) } };
};

/** @param call refusals thrown, as `refusing` does */
export const readerOf = (call: CallTool, runId: string): RunReader => {
  const known: ArtifactMeta[] = [];
  const bodies = new Map<string, AnyArtifact>();
  let record = emptyRecord(runId);
  let taken = 0;

  const metas = async (): Promise<readonly ArtifactMeta[]> => {
    for (;;) {
      const page = RunPage.parse(await call('telic_get_run', { run_id: runId, after_index: known.length }));
      known.push(...page.artifacts);
      if (page.artifacts.length === 0 || (page.nextAfterIndex ?? null) === null) return known;
    }
  };

  const artifact = async (ref: string): Promise<AnyArtifact> => {
    const id = parseArtifactUri(ref)?.id ?? ref;
    const held = bodies.get(id);
    if (held) return held;
    const read = artifactIn(await withBody(call, await call('telic_get_artifact', { run_id: runId, artifact_id: id })));
    bodies.set(id, read);
    return read;
  };

  return {
    metas,
    artifact,
    record: async () => {
      const all = await metas();
      const fresh: AnyArtifact[] = [];
      for (const { id, type } of all.slice(taken)) if (type !== 'ContextDocument') fresh.push(await artifact(id));
      taken = all.length;
      record = record.extend(fresh, { added: 0, denials: 0 });
      return record;
    },
  };
};
