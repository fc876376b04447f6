-- A profile's database at schema 1, as a released version wrote it. Never changed: migrations are tested from it.
PRAGMA foreign_keys = OFF; -- the rows stand in the order of their tables
CREATE TABLE texts (                       -- what recipes name by hash: system prompts, tool schemas, recalled passages
  hash        BLOB PRIMARY KEY CHECK (length(hash) = 32),
  text        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
  id            TEXT PRIMARY KEY,
  title         TEXT NOT NULL DEFAULT '',
  title_author  TEXT NOT NULL DEFAULT 'app' CHECK (title_author IN ('app', 'user')),
  provider_id   TEXT,                      -- what the next turn uses; NULL = the default of the machine
  model         TEXT,
  prompt_hash   BLOB REFERENCES texts (hash),                 -- system prompt, versioned by its hash
  last_branch   INTEGER REFERENCES branches (id) DEFERRABLE INITIALLY DEFERRED,
  messages      INTEGER NOT NULL DEFAULT 0 CHECK (messages >= 0),   -- kept by the inserting transaction, never counted
  chars         INTEGER NOT NULL DEFAULT 0 CHECK (chars >= 0),
  automatic     TEXT NOT NULL DEFAULT 'on' CHECK (automatic IN ('on', 'off', 'breaker')),   -- off = by the user
  automatic_why TEXT CHECK (automatic_why IS NULL OR json_valid(automatic_why)),            -- the breaker's numbers
  review        INTEGER NOT NULL DEFAULT 0 CHECK (review IN (0, 1)),
  keep_turns    INTEGER NOT NULL DEFAULT 2 CHECK (keep_turns BETWEEN 0 AND 99),
  draft         TEXT NOT NULL DEFAULT '',
  draft_files   TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(draft_files)),
  pinned_at     INTEGER,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER                    -- in the bin since; emptied after 30 days
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated_at DESC) WHERE deleted_at IS NULL;
CREATE INDEX sessions_in_bin  ON sessions (deleted_at)      WHERE deleted_at IS NOT NULL;
CREATE TABLE branches (
  id          INTEGER PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  parent_id   INTEGER REFERENCES branches (id) ON DELETE CASCADE,  -- always the branch that OWNS the row 'fork_seq',
  fork_seq    INTEGER NOT NULL DEFAULT 0 CHECK (fork_seq >= 0),    -- so that siblings share (parent_id, fork_seq)
  created_at  INTEGER NOT NULL,
  CHECK (parent_id IS NOT NULL OR fork_seq = 0),
  CHECK (parent_id IS NOT id)
) STRICT;
CREATE UNIQUE INDEX branches_one_root ON branches (session_id) WHERE parent_id IS NULL;
CREATE INDEX branches_by_fork ON branches (parent_id, fork_seq);
CREATE INDEX branches_by_session ON branches (session_id);
CREATE TABLE messages (
  rid         INTEGER PRIMARY KEY,         -- = rowid of messages_fts; explicit, since VACUUM renumbers implicit ones
  id          TEXT NOT NULL UNIQUE,        -- = the outbox id of a user message, so that a repeated send is a no-op
  branch_id   INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,
  seq         INTEGER NOT NULL CHECK (seq >= 1),   -- place on the path; taken in the inserting transaction
  turn_id     INTEGER,                     -- the turn that made it; NULL = imported
  role        TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
  status      TEXT NOT NULL CHECK (status IN ('streaming', 'complete', 'partial')),
  text        TEXT NOT NULL,               -- '' while streaming (the text is in stream_parts) and once the bin was emptied
  parts       TEXT CHECK (parts IS NULL OR json_valid(parts)),   -- only what is not plain text: calls, attachments, typed or pasted
  ascii_chars INTEGER NOT NULL DEFAULT 0 CHECK (ascii_chars >= 0),
  cjk_chars   INTEGER NOT NULL DEFAULT 0 CHECK (cjk_chars >= 0),
  other_chars INTEGER NOT NULL DEFAULT 0 CHECK (other_chars >= 0),
  usage       TEXT CHECK (usage IS NULL OR json_valid(usage)),   -- as the provider reported it, model included
  created_at  INTEGER NOT NULL,
  deleted_at  INTEGER,                     -- in the bin since: out of contexts and of messages_fts at once
  CHECK (role = 'assistant' OR status <> 'streaming'),
  UNIQUE (branch_id, seq)
) STRICT;
CREATE INDEX messages_streaming ON messages (turn_id) WHERE status = 'streaming';
CREATE INDEX messages_in_bin ON messages (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE stream_parts (                -- appended at least each 500 ms; joined and deleted in one transaction
  message_rid INTEGER NOT NULL REFERENCES messages (rid) ON DELETE CASCADE,
  n           INTEGER NOT NULL CHECK (n >= 0),
  text        TEXT NOT NULL,
  PRIMARY KEY (message_rid, n)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE messages_fts USING fts5 (   -- fed by db/messages-table.ts with CJK set apart by spaces
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE outbox (
  id          TEXT PRIMARY KEY,            -- minted by the composer; becomes messages.id
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  branch_id   INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,  -- the branch its window showed
  position    REAL NOT NULL,               -- a move takes the middle of its new neighbours
  text        TEXT NOT NULL,
  files       TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files)),
  created_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX outbox_order ON outbox (session_id, position);
CREATE TABLE pins (
  id          TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_rid INTEGER NOT NULL REFERENCES messages (rid) ON DELETE CASCADE,
  from_char   INTEGER,                     -- both NULL = the whole message
  to_char     INTEGER,
  version     INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at  INTEGER NOT NULL,
  removed_at  INTEGER,                     -- kept, so that the lens can rebuild an old request
  CHECK ((from_char IS NULL) = (to_char IS NULL)),
  CHECK (from_char IS NULL OR (from_char >= 0 AND to_char > from_char))
) STRICT;
CREATE INDEX pins_by_session ON pins (session_id) WHERE removed_at IS NULL;
CREATE TABLE instances (                   -- proof of life is the lock file instances/<id>.lock, taken BEFORE this row is written
  id          TEXT PRIMARY KEY,            -- a row without a lock file is dead; removed by a clean end
  pid         INTEGER NOT NULL,            -- for words only
  boot_id     TEXT NOT NULL,
  version     TEXT NOT NULL,
  started_at  INTEGER NOT NULL
) STRICT;
CREATE TABLE leases (                      -- two rows per session, made with it
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind        TEXT NOT NULL CHECK (kind IN ('turn', 'compression')),
  epoch       INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),   -- rises by one on acquire, takeover included, and only then
  instance_id TEXT,                        -- holder = instance_id : run_id; both NULL = free
  run_id      INTEGER,                     -- attempt id, or turn id for kind 'turn'
  renewals    INTEGER NOT NULL DEFAULT 0 CHECK (renewals >= 0),
  acquired_at INTEGER,                     -- for display
  renewed_at  INTEGER,
  PRIMARY KEY (session_id, kind),
  CHECK ((instance_id IS NULL) = (run_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_held ON leases (instance_id) WHERE instance_id IS NOT NULL;
CREATE TABLE turns (
  id          INTEGER PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  branch_id   INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,   -- kept to the end
  message_rid INTEGER NOT NULL REFERENCES messages (rid) ON DELETE CASCADE,  -- the user message it answers; Send again,
                                           -- Answer again and each way out of exhausted are new turns on the same message
  instance_id TEXT NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('queued', 'preparing', 'compressing', 'requesting', 'streaming', 'tools', 'deferred',
                                             'completed', 'stopped', 'interrupted', 'exhausted', 'failed')),
  reason      TEXT CHECK (reason IS NULL OR json_valid(reason)),             -- of deferred, exhausted, failed: kind and fields
  retry_at    INTEGER,
  attempts    INTEGER NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 2),   -- automatic ones, after refunds
  bypassed    INTEGER NOT NULL DEFAULT 0 CHECK (bypassed IN (0, 1)),         -- its one real summarize in spite of a backoff (P24)
  recalled    BLOB REFERENCES texts (hash),
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER,
  CHECK ((ended_at IS NULL) = (state IN ('queued', 'preparing', 'compressing', 'requesting', 'streaming', 'tools', 'deferred'))),
  CHECK (state <> 'deferred' OR reason IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX turns_one_open ON turns (session_id) WHERE ended_at IS NULL;
CREATE INDEX turns_by_instance ON turns (instance_id) WHERE ended_at IS NULL;
CREATE INDEX turns_by_session ON turns (session_id, id);
CREATE INDEX turns_by_message ON turns (message_rid);
CREATE TABLE requests (                    -- written before the first byte leaves
  id            INTEGER PRIMARY KEY,
  turn_id       INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  provider_id   TEXT NOT NULL,
  model         TEXT NOT NULL,
  parameters    TEXT NOT NULL CHECK (json_valid(parameters)),
  recipe        TEXT NOT NULL CHECK (json_valid(recipe)),     -- ids only; see docs/architecture.md for its keys
  sha256        BLOB NOT NULL CHECK (length(sha256) = 32),
  bytes         INTEGER NOT NULL CHECK (bytes > 0),
  counted       INTEGER NOT NULL,          -- tokens by the one counter
  reported      INTEGER,                   -- prompt tokens as the server said
  sent_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_turn ON requests (turn_id);
CREATE TABLE attempts (                    -- one row per attempt that asked for the lease; a skip by policy writes none
  id            INTEGER PRIMARY KEY,
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  branch_id     INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,
  instance_id   TEXT NOT NULL,
  turn_id       INTEGER REFERENCES turns (id) ON DELETE SET NULL,   -- the turn that waits for it; NULL = background
  need          TEXT NOT NULL CHECK (need IN ('ahead', 'pressure', 'must', 'manual')),   -- may rise while it runs
  trigger       TEXT NOT NULL CHECK (trigger IN ('soft-mark', 'hard-mark', 'does-not-fit', 'overflow', 'button', 'range', 'accept')),
  epoch         INTEGER,                   -- NULL = never had the lease
  strategy      TEXT CHECK (strategy IN ('prune', 'summarize', 'extract')),               -- the one running or the last
  phase         TEXT NOT NULL CHECK (phase IN ('waiting', 'connecting', 'loading', 'reading', 'writing', 'checking', 'saving', 'stopping', 'ended')),
  chunks_done   INTEGER NOT NULL DEFAULT 0,
  chunks        INTEGER NOT NULL DEFAULT 0,
  tokens_read   INTEGER NOT NULL DEFAULT 0,
  tokens_written INTEGER NOT NULL DEFAULT 0,
  outcome       TEXT CHECK (outcome IN ('committed', 'proposed', 'nothing-to-do', 'deferred', 'cancelled', 'superseded', 'failed')),
  failure       TEXT CHECK (failure IN ('stalled', 'ceiling-exhausted', 'stall-interrupted', 'interrupted', 'died', 'host-lost', 'malformed',
                                        'empty', 'refused', 'cut', 'too-large', 'lease-lost', 'commit-failed')),
  detail        TEXT CHECK (detail IS NULL OR json_valid(detail)),    -- fields of the outcome: holder, until, by, reason
  error         TEXT,                      -- code and fields, no conversation text
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK ((outcome IS NULL) = (phase <> 'ended')),
  CHECK (outcome IS NULL OR (outcome = 'failed') = (failure IS NOT NULL)),
  CHECK (chunks_done <= chunks)
) STRICT;
CREATE INDEX attempts_by_session ON attempts (session_id, started_at DESC);
CREATE INDEX attempts_open ON attempts (instance_id) WHERE outcome IS NULL;
CREATE INDEX attempts_by_turn ON attempts (turn_id) WHERE turn_id IS NOT NULL;
CREATE TABLE summaries (
  id            INTEGER PRIMARY KEY,       -- "newest" = greatest id
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  branch_id     INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,   -- the branch that owns the row covers_to
  covers_from   INTEGER NOT NULL CHECK (covers_from >= 1),
  covers_to     INTEGER NOT NULL CHECK (covers_to >= covers_from),             -- the cutoff
  parent_id     INTEGER REFERENCES summaries (id),    -- what it was built on or edited from
  attempt_id    INTEGER UNIQUE REFERENCES attempts (id),  -- at most one summary per attempt; NULL = user or import
  epoch         INTEGER,
  kind          TEXT NOT NULL CHECK (kind IN ('text', 'stubs')),
  state         TEXT NOT NULL CHECK (state IN ('proposed', 'active', 'undone', 'rejected', 'stale')),
  author        TEXT NOT NULL CHECK (author IN ('model', 'extract', 'user', 'import')),
  strategy      TEXT CHECK (strategy IN ('prune', 'summarize', 'extract')),
  model         TEXT,
  text          TEXT NOT NULL,             -- as sent; '' for stubs, and once the bin was emptied
  sections      TEXT CHECK (sections IS NULL OR json_valid(sections)),   -- lines with their source messages
  stubs         TEXT CHECK (stubs IS NULL OR json_valid(stubs)),         -- message id -> stub line
  receipt       TEXT CHECK (receipt IS NULL OR json_valid(receipt)),
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  changed_at    INTEGER NOT NULL,          -- of state
  CHECK ((kind = 'stubs') = (stubs IS NOT NULL)),
  CHECK ((author IN ('model', 'extract')) = (attempt_id IS NOT NULL)),
  CHECK (attempt_id IS NULL OR tokens_after < tokens_before)
) STRICT;
CREATE INDEX summaries_in_view ON summaries (branch_id, covers_to) WHERE state = 'active';
CREATE INDEX summaries_by_parent ON summaries (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX summaries_by_session ON summaries (session_id);
CREATE UNIQUE INDEX summaries_one_proposal ON summaries (session_id) WHERE state = 'proposed';
CREATE TABLE summary_chunks (              -- checkpoints; also the accepted candidate whose commit failed
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  hash          BLOB NOT NULL CHECK (length(hash) = 32),   -- of what the model was given
  model         TEXT NOT NULL,
  prompt        INTEGER NOT NULL,          -- version of the instruction
  branch_id     INTEGER NOT NULL REFERENCES branches (id) ON DELETE CASCADE,
  covers_from   INTEGER NOT NULL,          -- so that emptying the bin finds it
  covers_to     INTEGER NOT NULL,
  text          TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  PRIMARY KEY (session_id, hash, model, prompt)
) STRICT, WITHOUT ROWID;
CREATE TABLE backoffs (
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  strategy      TEXT NOT NULL CHECK (strategy IN ('prune', 'summarize')),   -- extract has none
  kind          TEXT NOT NULL,             -- failure kind, or 'nothing-to-gain'
  rung          INTEGER NOT NULL CHECK (rung BETWEEN 1 AND 3),
  set_at        INTEGER NOT NULL,
  duration_ms   INTEGER CHECK (duration_ms > 0),
  until_chars   INTEGER CHECK (until_chars > 0),      -- nothing-to-gain: ends when sessions.chars has grown to this
  attempt_id    INTEGER NOT NULL,          -- who set it: a success of an attempt begun earlier may not clear it
  bypassed      INTEGER NOT NULL DEFAULT 0 CHECK (bypassed IN (0, 1)),   -- its one real summarize in spite of it was spent (P24)
  error         TEXT,
  PRIMARY KEY (session_id, strategy),
  CHECK ((kind = 'nothing-to-gain') = (until_chars IS NOT NULL)),
  CHECK ((duration_ms IS NULL) = (until_chars IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE windows (
  provider_id   TEXT NOT NULL,
  model         TEXT NOT NULL,
  settings_hash TEXT NOT NULL,
  served        INTEGER CHECK (served > 0),           -- NULL = unknown
  trained       INTEGER CHECK (trained > 0),
  source        TEXT NOT NULL CHECK (source IN ('server', 'asked', 'learned', 'user', 'unknown')),
  ascii_rate    REAL, cjk_rate REAL, other_rate REAL, -- tokens per character, calibrated
  prefill_rate  REAL, decode_rate REAL,               -- tokens per second, measured
  updated_at    INTEGER NOT NULL,
  PRIMARY KEY (provider_id, model, settings_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE notices (                     -- only kinds without another durable cause
  id          INTEGER PRIMARY KEY,
  session_id  TEXT REFERENCES sessions (id) ON DELETE CASCADE,       -- NULL = the whole app
  kind        TEXT NOT NULL CHECK (kind IN ('window-learned', 'answer-cut', 'salvage-done')),
  fields      TEXT NOT NULL CHECK (json_valid(fields)),
  raised_at   INTEGER NOT NULL,
  cleared_at  INTEGER
) STRICT;
CREATE TABLE providers (
  id          TEXT PRIMARY KEY,
  kind        TEXT NOT NULL CHECK (kind IN ('embedded', 'ollama', 'openai')),
  name        TEXT NOT NULL,
  address     TEXT,                        -- NULL for embedded
  origin      TEXT NOT NULL CHECK (origin IN ('built-in', 'found', 'user')),
  fields      TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
  created_at  INTEGER NOT NULL
) STRICT;
CREATE TABLE secrets (owner TEXT NOT NULL, name TEXT NOT NULL, ciphertext BLOB NOT NULL, PRIMARY KEY (owner, name)) STRICT, WITHOUT ROWID;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value))) STRICT, WITHOUT ROWID;
CREATE TABLE attachments (hash BLOB PRIMARY KEY CHECK (length(hash) = 32), media TEXT NOT NULL, bytes INTEGER NOT NULL, text_hash BLOB REFERENCES texts (hash), created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO texts (hash, text) VALUES (x'a7b37c2f16b66a1b87dce157f333e32ecd11937738e86feccb02edd958f2be96', '[{"name":"recall","description":"Searches the earlier messages of this conversation that are only summarized above, and answers passages word for word with their message numbers. Use it whenever a detail from earlier matters (a number, a name, a decision, wording, code) and the summary does not state it.","schema":{"type":"object","properties":{"query":{"type":"string","description":"Words that the passage should contain, in the language it was written in"}},"required":["query"]}}]');
INSERT INTO sessions (id, title, title_author, provider_id, model, prompt_hash, last_branch, messages, chars, automatic, automatic_why, review, keep_turns, draft, draft_files, pinned_at, created_at, updated_at, deleted_at) VALUES ('00000000-0000-4000-8000-000000000002', 'Test', 'app', 'test', 'test-model', NULL, 1, 20, 12601, 'on', NULL, 0, 2, '', '[]', NULL, 1, 1800000000000, NULL);
INSERT INTO branches (id, session_id, parent_id, fork_seq, created_at) VALUES (1, '00000000-0000-4000-8000-000000000002', NULL, 0, 1);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (1, '00000000-0000-4000-8000-000000000003', 1, 1, NULL, 'user', 'complete', 'user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (2, '00000000-0000-4000-8000-000000000004', 1, 2, NULL, 'assistant', 'complete', 'assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0 assistant words number 0', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (3, '00000000-0000-4000-8000-000000000005', 1, 3, NULL, 'user', 'complete', 'user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1 user words number 1', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (4, '00000000-0000-4000-8000-000000000006', 1, 4, NULL, 'assistant', 'complete', 'assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1 assistant words number 1', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (5, '00000000-0000-4000-8000-000000000007', 1, 5, NULL, 'user', 'complete', 'user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (6, '00000000-0000-4000-8000-000000000008', 1, 6, NULL, 'assistant', 'complete', 'assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2 assistant words number 2', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (7, '00000000-0000-4000-8000-000000000009', 1, 7, NULL, 'user', 'complete', 'user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (8, '00000000-0000-4000-8000-000000000010', 1, 8, NULL, 'assistant', 'complete', 'assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3 assistant words number 3', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (9, '00000000-0000-4000-8000-000000000011', 1, 9, NULL, 'user', 'complete', 'user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (10, '00000000-0000-4000-8000-000000000012', 1, 10, NULL, 'assistant', 'complete', 'assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4 assistant words number 4', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (11, '00000000-0000-4000-8000-000000000013', 1, 11, NULL, 'user', 'complete', 'user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5 user words number 5', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (12, '00000000-0000-4000-8000-000000000014', 1, 12, NULL, 'assistant', 'complete', 'assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5 assistant words number 5', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (13, '00000000-0000-4000-8000-000000000015', 1, 13, NULL, 'user', 'complete', 'user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6 user words number 6', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (14, '00000000-0000-4000-8000-000000000016', 1, 14, NULL, 'assistant', 'complete', 'assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6 assistant words number 6', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (15, '00000000-0000-4000-8000-000000000017', 1, 15, NULL, 'user', 'complete', 'user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7 user words number 7', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (16, '00000000-0000-4000-8000-000000000018', 1, 16, NULL, 'assistant', 'complete', 'assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7 assistant words number 7', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (17, '00000000-0000-4000-8000-000000000019', 1, 17, NULL, 'user', 'complete', 'user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8 user words number 8', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (18, '00000000-0000-4000-8000-000000000020', 1, 18, NULL, 'assistant', 'complete', 'assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8 assistant words number 8', NULL, 699, 0, 0, NULL, 1, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (19, '00000000-0000-4000-8000-000000000021', 1, 19, NULL, 'user', 'complete', 'And now?', NULL, 8, 0, 0, NULL, 1800000000000, NULL);
INSERT INTO messages (rid, id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars, usage, created_at, deleted_at) VALUES (20, '00000000-0000-4000-8000-000000000022', 1, 20, 1, 'assistant', 'complete', 'It is done.', NULL, 11, 0, 0, '{"model":"Test model","promptTokens":null,"outputTokens":null,"cachedTokens":null,"tookMs":0}', 1800000000000, NULL);
INSERT INTO leases (session_id, kind, epoch, instance_id, run_id, renewals, acquired_at, renewed_at) VALUES ('00000000-0000-4000-8000-000000000002', 'compression', 1, NULL, NULL, 0, 1800000000000, 1800000000000);
INSERT INTO leases (session_id, kind, epoch, instance_id, run_id, renewals, acquired_at, renewed_at) VALUES ('00000000-0000-4000-8000-000000000002', 'turn', 1, NULL, NULL, 0, 1800000000000, 1800000000000);
INSERT INTO turns (id, session_id, branch_id, message_rid, instance_id, state, reason, retry_at, attempts, bypassed, recalled, started_at, ended_at) VALUES (1, '00000000-0000-4000-8000-000000000002', 1, 19, '00000000-0000-4000-8000-000000000001', 'completed', NULL, NULL, 0, 0, NULL, 1800000000000, 1800000000000);
INSERT INTO requests (id, turn_id, provider_id, model, parameters, recipe, sha256, bytes, counted, reported, sent_at) VALUES (1, 1, 'test', 'test-model', '{"maxTokens":6251}', '{"serializer":2,"system":null,"pins":[],"recalled":[],"summaries":[1],"from":11,"to":19,"messages":9,"stubbed":[],"tools":"a7b37c2f16b66a1b87dce157f333e32ecd11937738e86feccb02edd958f2be96"}', x'15b459f1770251777ca492d62aac15f6919c57a42b5756007d1525b9c062ea5a', 7841, 1925, NULL, 1800000000000);
INSERT INTO attempts (id, session_id, branch_id, instance_id, turn_id, need, trigger, epoch, strategy, phase, chunks_done, chunks, tokens_read, tokens_written, outcome, failure, detail, error, started_at, ended_at) VALUES (1, '00000000-0000-4000-8000-000000000002', 1, '00000000-0000-4000-8000-000000000001', NULL, 'manual', 'button', 1, 'extract', 'ended', 0, 0, 0, 0, 'committed', NULL, '{"summaryId":1}', NULL, 1800000000000, 1800000000000);
INSERT INTO summaries (id, session_id, branch_id, covers_from, covers_to, parent_id, attempt_id, epoch, kind, state, author, strategy, model, text, sections, stubs, receipt, tokens_before, tokens_after, created_at, changed_at) VALUES (1, '00000000-0000-4000-8000-000000000002', 1, 1, 10, NULL, 1, 1, 'text', 'active', 'extract', 'extract', NULL, '## Goal
- user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words…

## State
- user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2…
- user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3…
- user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4…

## Exact details
- user words number 1 user words number 1 user words number 1
- assistant words number 4 assistant words number 4 assistant words
- assistant words number 3 assistant words number 3 assistant words
- assistant words number 2 assistant words number 2 assistant words
- assistant words number 1 assistant words number 1 assistant words
- assistant words number 0 assistant words number 0 assistant words', '[{"name":"goal","lines":[{"text":"user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words number 0 user words…","sources":[1]}]},{"name":"state","lines":[{"text":"user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2 user words number 2…","sources":[5]},{"text":"user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3 user words number 3…","sources":[7]},{"text":"user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4 user words number 4…","sources":[9]}]},{"name":"anchors","lines":[{"text":"user words number 1 user words number 1 user words number 1","sources":[3]},{"text":"assistant words number 4 assistant words number 4 assistant words","sources":[10]},{"text":"assistant words number 3 assistant words number 3 assistant words","sources":[8]},{"text":"assistant words number 2 assistant words number 2 assistant words","sources":[6]},{"text":"assistant words number 1 assistant words number 1 assistant words","sources":[4]},{"text":"assistant words number 0 assistant words number 0 assistant words","sources":[2]}]}]', NULL, '{"kept":4,"restored":6,"dropped":0,"anchors":[{"text":"4 user","seq":9,"fate":"kept"},{"text":"3 user","seq":7,"fate":"kept"},{"text":"2 user","seq":5,"fate":"kept"},{"text":"1 user","seq":3,"fate":"restored"},{"text":"4 assistant","seq":10,"fate":"restored"},{"text":"0 user","seq":1,"fate":"kept"},{"text":"3 assistant","seq":8,"fate":"restored"},{"text":"2 assistant","seq":6,"fate":"restored"},{"text":"1 assistant","seq":4,"fate":"restored"},{"text":"0 assistant","seq":2,"fate":"restored"}],"struckLines":0,"aboveTarget":false,"gain":0.4546865301055245}', 1790, 325, 1800000000000, 1800000000000);
INSERT INTO messages_fts (rowid, text) SELECT rid, text FROM messages;
CREATE TRIGGER messages_are_immutable BEFORE UPDATE OF id, branch_id, seq, role, text, parts, status ON messages
WHEN OLD.status <> 'streaming' AND OLD.deleted_at IS NULL
BEGIN SELECT RAISE (ABORT, 'message is immutable'); END;
CREATE TRIGGER epochs_never_fall BEFORE UPDATE OF epoch ON leases WHEN NEW.epoch < OLD.epoch
BEGIN SELECT RAISE (ABORT, 'epoch fell'); END;
CREATE TRIGGER leases_outlive_holders BEFORE DELETE ON leases WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session_id)
BEGIN SELECT RAISE (ABORT, 'lease rows are never deleted'); END;
CREATE TRIGGER sessions_get_leases AFTER INSERT ON sessions
BEGIN INSERT INTO leases (session_id, kind) VALUES (NEW.id, 'turn'), (NEW.id, 'compression'); END;
CREATE TRIGGER outcomes_are_written_once BEFORE UPDATE OF outcome, failure, detail, ended_at ON attempts WHEN OLD.outcome IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'outcome is final'); END;
CREATE TRIGGER summaries_are_immutable BEFORE UPDATE OF branch_id, covers_from, covers_to, kind, author, attempt_id ON summaries
BEGIN SELECT RAISE (ABORT, 'summary is immutable'); END;
PRAGMA user_version = 1;
