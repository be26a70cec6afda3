/** What a record holds under a name that somebody else gave: nothing for names that every object knows. */
export const argOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
