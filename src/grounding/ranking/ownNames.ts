import { z } from 'zod';
import { type ReadingRules, readRepositoryFile } from '../reading/readFile.ts';

const Manifest = z.object({ name: z.string().min(1) });
const mostBytes = 131_072;

/**
 * The names under which others install this project: of `package.json` and `go.mod` at the root. A trace of somebody
 * who uses the project names its files in `node_modules/NAME/` or `NAME@v1.2.3/`. Rule: grounding section 13.4.
 */
export async function readOwnNames(reading: Pick<ReadingRules, 'root' | 'excludedRoots'>): Promise<readonly string[]> {
  const rules = { ...reading, maximumBytes: mostBytes };
  const [manifest, module] = await Promise.all([
    readRepositoryFile('package.json', rules),
    readRepositoryFile('go.mod', rules),
  ]);
  const names: string[] = [];
  const named = Manifest.safeParse(manifest.ok ? parsed(manifest.content) : null);
  if (named.success) names.push(named.data.name);
  const path = module.ok ? /^module[ \t]+"?([^\s"]+)/m.exec(module.content)?.[1] : undefined;
  if (path !== undefined) names.push(path);
  return names;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A manifest that is no JSON names nothing.
    return null;
  }
}
