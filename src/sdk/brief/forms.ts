/** Values of the forms that a text blank can tell. */

/** Some path inside a scope: the scope itself, its wildcards replaced. */
export const pathInside = (scope: string, name: string): string =>
  scope.endsWith('**') ? `${scope.slice(0, -2)}${name}` : scope.replaceAll('*', 'a').replaceAll('?', 'a');

/** An address that stands for nothing. */
export const anyUrl = 'https://example.org/';
