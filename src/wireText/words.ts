/** How single things stand in a text answer (workspace-wire section 4, "Text format, common rules"). */

const bare = /^[A-Za-z0-9._/#:%@+-]+$/;

/** A path, name, id or code: bare where nothing in it could be misread, else a JSON string. */
export const word = (text: string): string => (bare.test(text) ? text : JSON.stringify(text));

/** A label: always a JSON string, so that what an app or a person wrote is never read as part of the format. */
export const label = (text: string): string => JSON.stringify(text);

/** A value as compact JSON; what JSON cannot say stands as null. */
export const json = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** A sentence as it is; one that would spill over its line is quoted, so that it cannot pose as another line. */
export const sentence = (text: string): string => (/[\u0000-\u001f\u007f]/.test(text) ? JSON.stringify(text) : text);

/** An address as it is, quoted only where it could be taken for several words. */
export const address = (url: string): string => (/^[!#-~]+$/.test(url) ? url : JSON.stringify(url));
