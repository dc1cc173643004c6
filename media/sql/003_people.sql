-- The administrators of a workspace say who is a member. Any human member can end a session that holds everybody up.

-- Locks the workspace's administrators among each other, and asks again whether the caller is one: two who remove each other
-- at once would leave none. No agents' login can keep this lock, which is not the turn.
create function holdpoint.lock_members(target uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.require_member(target, 'human', true);
  if current_setting('transaction_isolation') <> 'read committed' then
    raise invalid_transaction_state using message = 'the isolation level must be read committed';
  end if;
  perform from holdpoint.member m where m.workspace = target and m.admin order by m.login for update;
  perform holdpoint.require_member(target, 'human', true);
  perform set_config('idle_in_transaction_session_timeout', '5s', true);
end $$;

-- The login exists already (`holdpoint team init` creates it) and has exactly one of the two groups.
create function holdpoint.add_member(target uuid, who name, as_kind text, person text, as_admin boolean) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  other text := case as_kind when 'human' then 'agent' else 'human' end;
begin
  perform holdpoint.lock_members(target);
  perform from pg_roles r
    where r.rolname = who and r.rolcanlogin and as_kind in ('human', 'agent')
      and pg_has_role(r.oid, 'holdpoint_' || as_kind, 'member') and not pg_has_role(r.oid, 'holdpoint_' || other, 'member');
  if not found then
    raise invalid_parameter_value using message = format('there is no login %s for this (%s)', who, as_kind);
  end if;
  insert into holdpoint.member (workspace, login, kind, person, admin) values (target, who, as_kind, add_member.person, as_admin)
    on conflict (workspace, login) do update set person = excluded.person, admin = excluded.admin
    where member.kind = excluded.kind and (member.admin <= excluded.admin or member.login <> session_user);
  if not found then
    raise invalid_parameter_value using message = 'a login stays of its kind, and administrators do not demote themselves';
  end if;
exception
  when unique_violation then
    raise invalid_parameter_value using message = format('another login here is %s''s: this person needs another name', person);
end $$;

-- Ends sessions, as far as the server lets the owner of these functions: it is a member of the logins that `team init` creates.
create function holdpoint.terminate(pids int[]) returns int
  language plpgsql
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  ended int := 0;
begin
  for i in 1 .. cardinality(pids) loop
    if pids[i] <> pg_backend_pid() and pg_terminate_backend(pids[i]) then
      ended := ended + 1;
    end if;
  end loop;
  return ended;
end $$;

-- Ends the session that has the turn now. A caller that waits for the turn itself calls this in another session.
create function holdpoint.end_turns(target uuid) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.require_member(target, 'human');
  return holdpoint.terminate(array(
    select l.pid from holdpoint.turn t
      join pg_locks l on l.locktype = 'transactionid' and l.granted and l.transactionid = t.xmax
      where t.workspace = target));
end $$;

-- Ends all sessions of an agents' login of the workspace, or, by an administrator, of any login of it.
create function holdpoint.end_sessions(target uuid, who name) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform from holdpoint.member m where m.workspace = target and m.login = who and m.kind = 'agent';
  perform holdpoint.require_member(target, 'human', not found);
  perform from holdpoint.member m where m.workspace = target and m.login = who;
  if not found then
    raise invalid_parameter_value using message = format('%s is not a member of this workspace', who);
  end if;
  return holdpoint.terminate(array(select a.pid from pg_stat_get_activity(null) a
    where a.usesysid = (select r.oid from pg_roles r where r.rolname = who)));
end $$;

-- Does not wait for the turn, which the login may hold: each function asks again who is a member once it has the turn.
create function holdpoint.remove_member(target uuid, who name) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.lock_members(target);
  -- An administrator remains, because no administrator can remove their own login.
  if who = session_user then
    raise invalid_parameter_value using message = 'administrators do not remove themselves: another one can';
  end if;
  delete from holdpoint.member m where m.workspace = target and m.login = who;
  if not found then
    raise invalid_parameter_value using message = format('%s is not a member of this workspace', who);
  end if;
end $$;

revoke execute on all functions in schema holdpoint from public;
grant execute on function holdpoint.add_member(uuid, name, text, text, boolean), holdpoint.remove_member(uuid, name),
  holdpoint.end_turns(uuid), holdpoint.end_sessions(uuid, name) to holdpoint_human;

insert into holdpoint.schema_version (version, min_client) values (3, 4);
