/** Names that a program writes after a dot: fields, lists, parameters, roots (workspace-wire 7.1, `ident`). */
export const memberName = /^(?=.{1,64}$)[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*$/;

/** The first word of a key of an app's state. */
export const keyWord = /^[a-z][a-z0-9-]{0,31}$/;

/** What people read in one line: no control characters, nothing empty. */
export const oneLine = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,200}$/;
