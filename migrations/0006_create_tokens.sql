-- SPDX-License-Identifier: Apache-2.0
create table token (
  id bigint generated always as identity primary key,
  role text not null check (role in ('agent', 'submit', 'admin')),
  label text not null,
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
