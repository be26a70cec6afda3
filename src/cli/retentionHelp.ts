import { z } from 'zod';
import { Age, CollectReport, DeletedRun, DeleteReport } from '../../schemas/retention.ts';

/** What the help of the commands that delete says below their options, made from the schemas of what they take and print. */

const fieldsOf = (title: string, shape: z.ZodObject): readonly string[] => {
  const width = Math.max(...Object.keys(shape.shape).map((name) => name.length));
  const fields = Object.entries(shape.shape).map(
    ([name, field]) => `  ${name.padEnd(width)}  ${field instanceof z.ZodType ? (field.description ?? '') : ''}`,
  );
  return [`${title}:`, ...fields];
};

export const deleteHelp = (): string =>
  [...fieldsOf('Prints', DeleteReport), '', ...fieldsOf('Of the deleted run', DeletedRun)].join('\n');

export const gcHelp = (): string =>
  [
    `An age is ${Age.description}. Without one, no run is deleted.`,
    '',
    ...fieldsOf('Prints', CollectReport),
    '',
    ...fieldsOf('Of each run', DeletedRun),
  ].join('\n');
