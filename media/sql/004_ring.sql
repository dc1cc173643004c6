-- The key ring of a workspace: records that root keys sign. The server keeps their order; programs verify the signatures, and
-- pin the root keys on each machine. They ignore rows that are not the next record of the chain, so the server's order is that
-- of rows, valid or not.

create table holdpoint.ring (
  workspace uuid not null references holdpoint.workspace,
  -- Of the row; the record's own is that of the chain.
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

-- `won`, `duplicate` (this very record is there), or `lost` (there are not as many rows as the caller has read).
create function holdpoint.append_ring(target uuid, entry bytea, after int) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  content jsonb;
  entry_hash text := encode(sha256(entry), 'hex');
  known record;
begin
  perform holdpoint.require_member(target, 'human', true);
  if octet_length(entry) > 16 * 1024 then
    raise data_exception using message = 'the record is too long';
  end if;
  content := convert_from(entry, 'UTF8')::jsonb;
  if content -> 'v' is distinct from '1' or content ->> 'workspace' is distinct from target::text
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
  select count(*) as rows, coalesce(max(r.seq) + 1, 0) as next into known from holdpoint.ring r where r.workspace = target;
  if known.rows is distinct from after then
    return 'lost';
  end if;
  -- Programs read all of them. Without a limit, one administrator could make them too many to read.
  if known.rows >= 5000 then
    raise program_limit_exceeded using
      message = 'the key ring is full: the owner of the database can delete the rows that programs ignore';
  end if;
  insert into holdpoint.ring (workspace, seq, hash, record, login)
    values (target, known.next, entry_hash, entry, session_user);
  if pg_notification_queue_usage() < 0.5 then
    perform pg_notify('holdpoint_' || target, 'ring');
  end if;
  return 'won';
end $$;

revoke execute on all functions in schema holdpoint from public;
grant execute on function holdpoint.append_ring(uuid, bytea, int) to holdpoint_human;

insert into holdpoint.schema_version (version, min_client) values (4, 4);
