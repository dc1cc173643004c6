-- Workspaces come from a human's login. A local journal moves in byte for byte: rows are added while the workspace is being
-- filled, then it is opened, once.

-- The caller becomes the workspace's first administrator.
create function holdpoint.create_workspace(target uuid, called text, person text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  insert into holdpoint.workspace (id, name) values (target, called);
  insert into holdpoint.turn (workspace) values (target);
  insert into holdpoint.member (workspace, login, kind, person, admin) values (target, session_user, 'human', person, true);
end $$;

-- Takes the turn of a workspace that is being filled. Its administrators alone fill it.
create function holdpoint.lock_filling(target uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.require_member(target, 'human', true);
  perform holdpoint.lock_turn(target);
  perform holdpoint.require_member(target, 'human', true);
  perform set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local');
  perform from holdpoint.workspace w where w.id = target and w.opened_at is null;
  if not found then
    raise object_not_in_prerequisite_state using message = 'this workspace is open: it cannot be filled again';
  end if;
end $$;

-- Adds rows. `ats` has an offset for each row and, as its last, the offset after all of them; the first is where the workspace
-- ends so far. Returns that end.
create function holdpoint.import_lines(target uuid, ats bigint[], kinds text[], rows bytea[]) returns bigint
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  known holdpoint.workspace;
  body jsonb;
  line_hash text;
  item record;
  frame record;
  -- After a filler the chain goes on where a human decided that it does. Programs verify that signature.
  after_filler boolean;
begin
  perform holdpoint.lock_filling(target);
  select * into known from holdpoint.workspace w where w.id = target;
  if cardinality(ats) is distinct from cardinality(rows) + 1 or cardinality(kinds) is distinct from cardinality(rows)
    or ats[1] is distinct from known.size
  then
    raise data_exception using message = format('the rows do not begin at %s, where the workspace ends', known.size);
  end if;
  after_filler := coalesce((select l.kind = 'filler' from holdpoint.line l
    where l.workspace = target order by l.at desc limit 1), false);
  -- Not by subscripts, each of which would read the array from its beginning.
  for item in
    select u.* from unnest(ats[1:cardinality(rows)], ats[2:], kinds, rows) with ordinality as u(at, next, kind, bytes, nr) order by u.nr
  loop
    if item.kind = 'filler' then
      if item.next is distinct from item.at + octet_length(item.bytes) or octet_length(item.bytes) > 1024 * 1024 then
        raise data_exception using message = format('the row at %s does not end where the next one begins', item.at);
      end if;
      insert into holdpoint.line (workspace, at, next, kind, bytes, login)
        values (target, item.at, item.next, 'filler', item.bytes, session_user);
      after_filler := true;
    else
      body := holdpoint.body_of(item.bytes);
      perform holdpoint.check_body(body);
      if (body ->> 'at')::bigint <> item.at or (body ->> 'prev' <> known.head and not after_filler) then
        raise data_exception using message = format('the line at %s does not follow the line before it', item.at);
      end if;
      select * into frame from holdpoint.framing(body -> 'records', known.min_reader, known.seals);
      if item.next is distinct from item.at + octet_length(item.bytes) - (case when frame.sealed then 1 else 0 end) then
        raise data_exception using message = format('the row at %s does not end where the next one begins', item.at);
      end if;
      line_hash := (regexp_match(encode(substring(item.bytes from 1 for 76), 'escape'), ' ([0-9a-f]{64}) '))[1];
      insert into holdpoint.line (workspace, at, next, kind, op, hash, prev, bytes, login)
        values (target, item.at, item.next, 'line', (body ->> 'op')::uuid, line_hash, body ->> 'prev', item.bytes, session_user);
      known.head := line_hash;
      known.min_reader := frame.min_reader;
      known.seals := frame.seals;
      after_filler := false;
    end if;
  end loop;
  known.size := ats[cardinality(ats)];
  update holdpoint.workspace w
    set size = known.size, head = known.head, min_reader = known.min_reader, seals = known.seals
    where w.id = target;
  return known.size;
end $$;

-- From here on the server decides. The caller states what it has, so that a half-filled workspace is never opened.
create function holdpoint.open_workspace(target uuid, expected_size bigint, expected_head text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.lock_filling(target);
  update holdpoint.workspace w set opened_at = clock_timestamp()
    where w.id = target and w.size = expected_size and w.head = expected_head;
  if not found then
    raise data_exception using message = 'the workspace does not hold what was copied: its end or its last hash differ';
  end if;
end $$;

revoke execute on all functions in schema holdpoint from public;
grant execute on function holdpoint.create_workspace(uuid, text, text), holdpoint.open_workspace(uuid, bigint, text),
  holdpoint.import_lines(uuid, bigint[], text[], bytea[]) to holdpoint_human;

insert into holdpoint.schema_version (version, min_client) values (2, 4);
