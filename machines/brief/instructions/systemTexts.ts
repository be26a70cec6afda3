import { roleTexts } from './roles.ts';
import { rubricTexts } from './rubrics.ts';

/** Every text that a system reference names, by its reference: `artifact://system/roles/executor-v1`. */
export const systemTexts: ReadonlyMap<string, string> = new Map([
  ...Object.entries(roleTexts).map(([role, text]): [string, string] => [`artifact://system/roles/${role}-v1`, text]),
  ...Object.entries(rubricTexts).map(([name, text]): [string, string] => [`artifact://system/rubrics/${name}`, text]),
]);

const byHyphens: ReadonlyMap<string, string> = new Map(
  [...systemTexts].map(([ref, text]) => [ref.replaceAll('_', '-'), text]),
);

/** The text behind a system reference, whose role may be written with a hyphen (REF-04); undefined for an unknown one. */
export const systemTextOf = (ref: string): string | undefined => systemTexts.get(ref) ?? byHyphens.get(ref);
