/** Tool servers, folders that models may read, and what the user allowed. Immutable: a later change is a migration of its own. */
export const tools = `
CREATE TABLE tool_servers (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL CHECK (name <> ''),
  prefix      TEXT NOT NULL UNIQUE CHECK (prefix <> ''),   -- of its tools' names in every prompt: never changed
  kind        TEXT NOT NULL CHECK (kind IN ('stdio', 'http')),
  command     TEXT,
  args        TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(args)),
  variables   TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(variables)),   -- names; their values are secrets
  url         TEXT,
  is_on       INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
  tools       TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tools)),       -- as it listed them last
  created_at  INTEGER NOT NULL,
  CHECK ((kind = 'stdio') = (command IS NOT NULL)),
  CHECK ((kind = 'http') = (url IS NOT NULL))
) STRICT;

CREATE TABLE tool_folders (
  name        TEXT PRIMARY KEY CHECK (name <> ''),         -- by which models know it
  path        TEXT NOT NULL UNIQUE,                        -- real, without links
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_grants (                                 -- what need not be asked again
  id          INTEGER PRIMARY KEY,
  server_id   TEXT NOT NULL REFERENCES tool_servers (id) ON DELETE CASCADE,
  tool        TEXT NOT NULL,                               -- by the server's own name for it
  session_id  TEXT REFERENCES sessions (id) ON DELETE CASCADE,            -- NULL = in every chat
  bound_to    BLOB NOT NULL CHECK (length(bound_to) = 32), -- hash of how the server is started and of the tool
  granted_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tool_grants_always ON tool_grants (server_id, tool) WHERE session_id IS NULL;
CREATE UNIQUE INDEX tool_grants_in_session ON tool_grants (session_id, server_id, tool) WHERE session_id IS NOT NULL;

CREATE TABLE tool_approvals (                              -- each call that was asked about, written before it runs
  call_id     TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  decision    TEXT CHECK (decision IN ('once', 'session', 'always', 'denied', 'withdrawn')),   -- NULL = it waits
  asked_at    INTEGER NOT NULL,
  decided_at  INTEGER,
  CHECK ((decision IS NULL) = (decided_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_approvals_by_session ON tool_approvals (session_id);
CREATE INDEX tool_approvals_open ON tool_approvals (session_id) WHERE decision IS NULL;
CREATE TRIGGER decisions_are_final BEFORE UPDATE ON tool_approvals WHEN OLD.decision IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'decision is final'); END;
`;
