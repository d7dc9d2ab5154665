-- SPDX-License-Identifier: Apache-2.0
-- The words of the ladder. Their order is the order of the ladder, so greatest() of two rungs is the higher one.
create type rung as enum ('feasible', 'resolve', 'install', 'load', 'build', 'smoke', 'numerics', 'gradients',
                          'stable', 'performance');
create type verdict_status as enum ('passed', 'failed', 'unsupported', 'skipped', 'untested', 'broken');
create type evidence as enum ('resolved', 'installed', 'compiled', 'emulated', 'hardware');
