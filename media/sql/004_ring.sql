-- The key ring of a workspace: records that root keys sign. The server keeps their order; programs verify the signatures, and
-- pin the root keys on each machine.

create table holdpoint.ring (
  workspace uuid not null references holdpoint.workspace,
  -- 0, 1, 2 and so on.
  seq int not null check (seq >= 0),
  hash text not null,
  record bytea not null,
  login name not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (workspace, seq)
);

alter table holdpoint.ring enable row level security;
create policy members on holdpoint.ring for select using (workspace = any (array(select holdpoint.memberships())));
grant select on holdpoint.ring to holdpoint_human, holdpoint_agent;

-- `won`, `duplicate` (this very record is there), or `lost` (the ring does not end where the record says).
create function holdpoint.append_ring(target uuid, entry bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  content jsonb;
  entry_hash text := encode(sha256(entry), 'hex');
  last holdpoint.ring;
begin
  perform holdpoint.require_member(target, 'human', true);
  if octet_length(entry) > 16 * 1024 then
    raise data_exception using message = 'the record is too long';
  end if;
  content := convert_from(entry, 'UTF8')::jsonb;
  if content -> 'v' is distinct from '1' or content ->> 'workspace' is distinct from target::text
    or jsonb_typeof(content -> 'seq') is distinct from 'number' or content ->> 'seq' !~ '^(0|[1-9][0-9]{0,5})$'
    or jsonb_typeof(content -> 'prev') is distinct from 'string'
    or (content ->> 'act' in ('add', 'makeRoot', 'remove', 'root')) is not true
    or jsonb_typeof(content -> 'key') is distinct from 'object' or jsonb_typeof(content -> 'signature') is null
  then
    raise data_exception using message = 'this is not a record of the key ring of this workspace';
  end if;
  perform holdpoint.lock_turn(target);
  perform holdpoint.require_member(target, 'human', true);
  perform set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local');
  perform from holdpoint.ring r where r.workspace = target and r.hash = entry_hash;
  if found then
    return 'duplicate';
  end if;
  select * into last from holdpoint.ring r where r.workspace = target order by r.seq desc limit 1;
  if (content ->> 'seq')::int <> coalesce(last.seq + 1, 0) or content ->> 'prev' <> coalesce(last.hash, repeat('0', 64)) then
    return 'lost';
  end if;
  insert into holdpoint.ring (workspace, seq, hash, record, login)
    values (target, (content ->> 'seq')::int, entry_hash, entry, session_user);
  if pg_notification_queue_usage() < 0.5 then
    perform pg_notify('holdpoint_' || target, 'ring');
  end if;
  return 'won';
end $$;

revoke execute on all functions in schema holdpoint from public;
grant execute on function holdpoint.append_ring(uuid, bytea) to holdpoint_human;

insert into holdpoint.schema_version (version, min_client) values (4, 4);
