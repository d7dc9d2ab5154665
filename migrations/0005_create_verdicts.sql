-- SPDX-License-Identifier: Apache-2.0
-- The latest word on each combination of each library. An undecided one never takes the place of a decided one.
create table verdict (
  row_id bigint generated always as identity primary key,
  library text not null,
  id text not null,
  axes jsonb not null,
  version text not null,
  status verdict_status not null,
  decided boolean not null,
  rung rung,
  proved rung,
  evidence evidence,
  code text not null,
  reason text not null,
  remedy text not null,
  source text not null,
  control boolean not null,
  since timestamptz not null,
  checked timestamptz not null,
  run_id bigint references run on delete set null,
  job_id bigint,
  attempt_id bigint,
  unique (library, id)
);
create index verdict_library on verdict (library, row_id);
create index verdict_axes on verdict using gin (axes jsonb_path_ops);

-- Every decided word, kept.
create table verdict_history (
  id bigint generated always as identity primary key,
  library text not null,
  combination_id text not null,
  status verdict_status not null,
  rung rung,
  proved rung,
  evidence evidence,
  code text not null,
  reason text not null,
  remedy text not null,
  source text not null,
  decided_at timestamptz not null,
  run_id bigint references run on delete set null,
  job_id bigint,
  attempt_id bigint
);
create index verdict_history_combination on verdict_history (library, combination_id, id);

-- The values that the axes of a library have had: filters match against these few, not against every verdict.
create table axis_value (
  id bigint generated always as identity primary key,
  library text not null,
  axis text not null,
  value text not null,
  unique (library, axis, value)
);
