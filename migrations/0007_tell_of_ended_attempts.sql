-- SPDX-License-Identifier: Apache-2.0
-- Who follows a log waits for its end too, whichever way the attempt ends: finished, lost, cancelled, its agent anew.
create function tell_of_log() returns trigger language plpgsql as $$
begin
  perform pg_notify('crosswarp', 'log');
  return null;
end
$$;
create trigger attempt_ended after update of ended_at on attempt
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_of_log();

-- A combination's page looks it up by its id.
create index combination_id on combination (run_id, id);
