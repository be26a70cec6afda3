/** Fonts of about the widths that the layout reckons with, then narrower ones. */
const families = 'Verdana, DejaVu Sans, Helvetica, Arial, sans-serif';

/**
 * Draws DOT text as SVG, with Graphviz as WebAssembly: the same text gives the same bytes. The engine is loaded when the
 * first drawing is asked for, for it is larger than all of ours.
 *
 * @param title what the drawing shows, for readers who cannot see it
 * @throws Error when the text is not DOT
 */
export const svgOf = async (dot: string, title: string): Promise<string> => {
  const { instance } = await import('@viz-js/viz');
  const viz = await instance();
  const svg = viz.renderString(dot, { format: 'svg' });
  const from = svg.indexOf('<svg');
  const label = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const fonts = svg.slice(from).replaceAll(/font-family="[^"]*"/g, `font-family="${families}"`);
  return `${fonts.replace('<svg ', `<svg role="img" aria-label="${label}" `)}`;
};
