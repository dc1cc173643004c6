CREATE TABLE parcels (number TEXT PRIMARY KEY, customer TEXT NOT NULL, at TEXT);
CREATE TABLE legacy_tokens (token TEXT PRIMARY KEY, customer TEXT NOT NULL, last_used TEXT);
