/** What is wrong with an app: with its definition, or with what one of its functions gave (workspace-wire 6.1). */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** The id of the app, where it is known. */
  readonly app: string | null;
  /** What of the app is wrong: `kinds.notes.Page.lists.blocks`, `share.params.with`. */
  readonly where: string;

  constructor(app: string | null, where: string, wrong: string) {
    super(`${app === null ? 'app' : `app ${app}`}: ${where} ${wrong}`);
    this.app = app;
    this.where = where;
  }
}
