/**
 * The tables of `workspaces.sqlite3` (workspace-wire section 10). A migration is never changed once released; the next
 * one is added at the end. Times are milliseconds since 1970. A `ref` is a resource's path by keys without its
 * workspace (`notes/0a01/a101`); paths are without their workspace too.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;

  CREATE TABLE workspaces (
    ordinal INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    apps TEXT NOT NULL, -- JSON: ids in order
    created_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE, -- SHA-256, hex
    label TEXT NOT NULL,
    workspace TEXT, -- null: all
    max TEXT NOT NULL, -- read, undoable, outside
    run TEXT, -- the governed run it is bound to
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER,
    revoked_ms INTEGER,
    last_used_ms INTEGER
  ) STRICT;

  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    session TEXT UNIQUE, -- null: the token's default connection at this endpoint
    token TEXT NOT NULL REFERENCES tokens (id),
    endpoint TEXT, -- the workspace; null: the account
    label TEXT NOT NULL,
    client_name TEXT,
    client_version TEXT,
    protocol TEXT,
    created_ms INTEGER NOT NULL,
    last_used_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    last_step INTEGER NOT NULL DEFAULT 0, -- step numbers are never given again
    last_ref INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX connections_token ON connections (token);

  CREATE TABLE login_codes (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id),
    workspace TEXT NOT NULL,
    expires_ms INTEGER NOT NULL,
    used_ms INTEGER
  ) STRICT;

  CREATE TABLE person_sessions (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id),
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE preallow (
    workspace TEXT NOT NULL,
    kind TEXT NOT NULL,
    action TEXT NOT NULL,
    set_ms INTEGER NOT NULL,
    set_by TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, action)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE invocations (
    token TEXT NOT NULL,
    id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    ask_id TEXT UNIQUE, -- set when it was put to the person
    announced INTEGER NOT NULL DEFAULT 0, -- how often it was
    connection TEXT NOT NULL,
    label TEXT NOT NULL, -- of the connection, when it was admitted
    step TEXT NOT NULL, -- the key of its step
    run_id TEXT,
    run_title TEXT,
    app TEXT NOT NULL,
    ref TEXT NOT NULL, -- of the resource
    resource_kind TEXT NOT NULL,
    resource_label TEXT NOT NULL,
    action TEXT NOT NULL, -- its id
    path TEXT NOT NULL, -- as printed at the first call
    written_path TEXT NOT NULL, -- as the caller wrote it, without the workspace
    action_kind TEXT NOT NULL,
    action_row TEXT NOT NULL, -- JSON
    destroys INTEGER NOT NULL DEFAULT 0, -- 1: takes something away that the person would miss
    args_json TEXT NOT NULL, -- {"secret":true} stands for a secret
    args_mac TEXT NOT NULL,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    context_json TEXT NOT NULL,
    edited_json TEXT,
    result_json TEXT, -- {"result"?, "resources"}
    error_json TEXT, -- a Failure
    reason TEXT, -- of a refusal
    created_ms INTEGER NOT NULL,
    decided_ms INTEGER,
    decided_by TEXT,
    started_ms INTEGER,
    ended_ms INTEGER,
    deadline_ms INTEGER,
    PRIMARY KEY (token, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX invocations_open ON invocations (workspace, state);
  CREATE INDEX invocations_refused ON invocations (token, args_mac) WHERE state = 'refused';

  CREATE TABLE steps (
    id INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    connection TEXT NOT NULL,
    token TEXT NOT NULL,
    key TEXT NOT NULL,
    number INTEGER NOT NULL,
    label TEXT NOT NULL, -- of the connection
    run_id TEXT,
    run_title TEXT,
    program TEXT,
    UNIQUE (workspace, connection, key)
  ) STRICT;

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    connection TEXT,
    kind TEXT NOT NULL,
    ref TEXT,
    body TEXT NOT NULL,
    time_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY, -- that of its event: its id is c and this number in base 36
    step INTEGER NOT NULL REFERENCES steps (id),
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    ref TEXT NOT NULL,
    path TEXT NOT NULL, -- as printed when it was made
    action TEXT NOT NULL, -- id
    action_path TEXT NOT NULL,
    sentence TEXT NOT NULL,
    by TEXT NOT NULL,
    invocation TEXT NOT NULL,
    effect INTEGER NOT NULL, -- 1: did more than operations, which no undo takes back
    time_ms INTEGER NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0, -- 0: in place; else the sequence of the event that took it back
    undone_by TEXT -- the connection that took it back; null when it was the person, or while it is in place
  ) STRICT;
  CREATE INDEX changes_step ON changes (step);
  CREATE INDEX changes_undone ON changes (workspace, app, undone) WHERE undone > 0;
  CREATE INDEX changes_app ON changes (workspace, app, seq);
  CREATE INDEX changes_ref ON changes (workspace, app, ref, seq);

  CREATE TABLE ops (
    change INTEGER NOT NULL REFERENCES changes (seq) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    key TEXT NOT NULL,
    before TEXT, -- canonical JSON; null: absent
    after TEXT,
    PRIMARY KEY (change, ordinal)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ops_key ON ops (workspace, app, key);

  CREATE TABLE docs (
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, -- canonical JSON
    PRIMARY KEY (workspace, app, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE counters (
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    next INTEGER NOT NULL, -- of item keys; only rises
    version INTEGER NOT NULL DEFAULT 0, -- of the app's state: rises with each commit that writes
    PRIMARY KEY (workspace, app)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE refs (
    connection TEXT NOT NULL,
    n INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    target TEXT NOT NULL, -- a ref
    PRIMARY KEY (connection, n)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE find_state (
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    version INTEGER NOT NULL, -- of the state that the index shows
    PRIMARY KEY (workspace, app)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE find_rows (
    id INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    ref TEXT NOT NULL,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    label TEXT NOT NULL,
    content TEXT NOT NULL,
    action TEXT,
    UNIQUE (workspace, app, ref)
  ) STRICT;
  CREATE VIRTUAL TABLE find_index USING fts5 (
    content, content='find_rows', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
  );
  `,
];
