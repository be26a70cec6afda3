/** The texts of a body that a disk would be asked about. */
export const pathsOf = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null) return [];
  return ['actions', 'filesChanged'].flatMap((list) => {
    const elements: unknown = Reflect.get(body, list);
    if (!Array.isArray(elements)) return [];
    return elements.flatMap((element) =>
      ['target', 'path'].flatMap((key) => {
        const path: unknown = Reflect.get(element, key);
        return typeof path === 'string' ? [path] : [];
      }),
    );
  });
};
