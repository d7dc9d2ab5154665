-- SPDX-License-Identifier: Apache-2.0
-- What is kept by its content: recipe files that runs pin, locks that attempts leave.
create table blob (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bytea not null,
  created_at timestamptz not null default now()
);

create table run (
  id bigint generated always as identity primary key,
  label text not null,
  verify boolean not null,
  spec text not null,
  state text not null check (state in ('running', 'done', 'cancelled')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'running') = (finished_at is null))
);
create index run_running on run (id) where state = 'running';

-- One matrix of one library; a submitted file may hold several.
create table matrix (
  run_id bigint not null references run on delete cascade,
  number int not null check (number >= 0),
  library text not null check (library <> ''),
  recipe_hash text not null,
  files jsonb not null check (jsonb_typeof(files) = 'array'),  -- [{"path", "sha256"}], each a blob
  primary key (run_id, number)
);
