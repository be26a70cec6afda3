import type { ExclusionReason } from '../../schemas/artifacts/controller.ts';

/** Why a file is left out, and what to do about it: shown by `ground --explain` and told in docs/grounding.md. */
export interface ExclusionLine {
  readonly what: string;
  readonly remedy: string;
}

/** One line for each reason of the manifest (grounding section 7). */
export const exclusionLines: Readonly<Record<ExclusionReason, ExclusionLine>> = {
  binary_file: { what: 'holds bytes that are no text', remedy: 'nothing to do: only text is read' },
  duplicate_content: { what: 'holds the same as a selected file', remedy: 'nothing to do: the other one is read' },
  excluded_directory: {
    what: 'lies in a directory that is not entered',
    remedy: 'name the file exactly as an active path; in build, coverage, dist and node_modules only if Git tracks it',
  },
  file_count_budget: { what: 'came when enough files were selected', remedy: 'raise max_files (--max-files)' },
  file_too_large: { what: 'is larger than one file may be', remedy: 'raise max_file_bytes (--max-file-bytes)' },
  inventory_budget: {
    what: 'was not considered, for the repository has more files',
    remedy: 'raise max_inventory_files (--max-inventory-files)',
  },
  invalid_path: {
    what: 'has a name that no reference can hold',
    remedy: 'give it a shorter name, in UTF-8 and without backslashes',
  },
  invalid_utf8: { what: 'is not UTF-8', remedy: 'save it as UTF-8' },
  low_relevance: {
    what: 'nothing in the request speaks for it',
    remedy: 'name it, or its directory, as an active path',
  },
  non_regular_file: {
    what: 'is a directory, a submodule, a device or a pipe',
    remedy: 'ground a submodule as a repository of its own',
  },
  path_escape: { what: 'resolves outside of the repository', remedy: 'ground the repository that holds it' },
  secret_content: {
    what: 'its content looks like a credential',
    remedy: 'move the value out of the file, or put a placeholder there',
  },
  secret_like_file: {
    what: 'its name says that it holds a secret',
    remedy: 'nothing to do if it does; else give it another name',
  },
  symlink_escape: {
    what: 'is a link that leads out of the repository',
    remedy: 'ground the repository that it leads to',
  },
  total_bytes_budget: {
    what: 'would have made the selection too large',
    remedy: 'raise max_total_bytes (--max-total-bytes)',
  },
  unreadable_file: {
    what: 'is missing, or may not be read',
    remedy: 'restore it, or give yourself the right to read it',
  },
};
