"""The tables of a store."""

APPLICATION = 0x724C6170  # "rLap": marks the file as ours
VERSION = 1

TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY,
    job TEXT NOT NULL,
    checksum TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'running', 'done', 'failed')),
    token TEXT,               -- of the claim; a new one each time
    host TEXT,
    pid INTEGER,
    started INTEGER,
    lease REAL,               -- the claim holds until then, where one cannot see whether its process lives
    deaths INTEGER NOT NULL DEFAULT 0,
    spent REAL NOT NULL DEFAULT 0.0,
    error TEXT,
    checkpoint TEXT,          -- what it was when the run was claimed, to see whether it has moved since
    CHECK ((state = 'running') = (token IS NOT NULL))
);

CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY REFERENCES runs (key),
    result TEXT NOT NULL,
    environment TEXT NOT NULL,
    code TEXT NOT NULL,       -- the commit it was made with
    seconds REAL NOT NULL,
    finished REAL NOT NULL
);

CREATE TRIGGER IF NOT EXISTS results_stay BEFORE UPDATE ON results
BEGIN SELECT RAISE(ABORT, 'a result is written once'); END;
"""

# Of stores that were made before there were these. A program from then does not mind them.
LATER = {"checkpoint": "ALTER TABLE runs ADD COLUMN checkpoint TEXT"}
