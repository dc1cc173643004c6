-- The shared journal: one row per line, in one order, append-only.
--
-- No role has INSERT, UPDATE or DELETE on any table. Lines enter through append_agent and append_human alone, which check the
-- frame, the hash, the chain and the membership of the login. The functions belong to holdpoint_owner and use session_user,
-- which SET ROLE does not change. Each pins every setting of the caller that could change what its text means: search_path
-- and standard_conforming_strings.

create table holdpoint.schema_version (
  version int primary key,
  -- The oldest schema whose programs can still work with this one.
  min_client int not null,
  applied_at timestamptz not null default now()
);

create table holdpoint.workspace (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  created_at timestamptz not null default now(),
  -- Null while lines of a local journal are being copied in: until then there are no appends.
  opened_at timestamptz,
  -- Offset of the next line, and the hash of the last one.
  size bigint not null default 0 check (size between 0 and 9007199254740991),
  head text not null default repeat('0', 64) check (head ~ '^[0-9a-f]{64}$'),
  -- What the lines ask of readers, and how many files the journal has begun: both decide whether a seal counts.
  min_reader int,
  seals int not null default 0
) with (fillfactor = 50);

-- The newest format of records that programs may ask for without a human; "team init" raises it to its own.
create table holdpoint.known_format (newest int not null);
insert into holdpoint.known_format values (1);

-- One row per workspace, and no role but the owner can lock it: the program that has locked it has the turn. (Any login of the database
-- could take an advisory lock.)
create table holdpoint.turn (workspace uuid primary key);

-- A login's membership. An agents' login belongs to the person who runs them.
create table holdpoint.member (
  workspace uuid not null references holdpoint.workspace,
  login name not null,
  kind text not null check (kind in ('human', 'agent')),
  -- Part of the ids of the person's agents.
  person text not null check (length(person) between 1 and 64 and person !~ '[[:cntrl:]/]'),
  admin boolean not null default false check (kind = 'human' or not admin),
  primary key (workspace, login)
);
-- Two people of one name would have the same agents.
create unique index member_person on holdpoint.member (workspace, kind, lower(person));

create table holdpoint.line (
  workspace uuid not null references holdpoint.workspace,
  -- Offset of the first byte, and of the next row's first byte.
  at bigint not null check (at >= 0),
  next bigint not null check (next > at),
  -- A filler is bytes of a local journal that are no line: torn lines and damage that a human set aside.
  kind text not null check (kind in ('line', 'filler')),
  op uuid,
  hash text,
  prev text,
  -- As files have it; for a line: line feed, length, hash, body, line feed.
  bytes bytea not null,
  login name not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (workspace, at),
  unique (workspace, op),
  check ((kind = 'line') = (op is not null and hash is not null and prev is not null))
);

-- Record kinds that only a human writes. A second lock: the fold does not count them without a signature either.
create table holdpoint.human_kind (kind text primary key);
insert into holdpoint.human_kind values
  ('answer.revoked'), ('event.closedByHuman'), ('event.postedByHuman'), ('event.proposalDeclined'),
  ('hold.changeAccepted'), ('hold.narrowed'), ('hold.widened'), ('journal.lineSetAside'), ('journal.restored'),
  ('journal.startedAnew'), ('key.enrolled'), ('key.lost'), ('key.passkeyAdded'), ('key.passkeyRenamed'),
  ('key.retired'), ('key.rotated'), ('key.trusted'), ('policy.changed'), ('question.answered'), ('question.askedBack'),
  ('question.cancelled'), ('question.released'), ('refusal.lifted'), ('request.createdByHuman'),
  ('request.movedByHuman'), ('request.stepRecordedByHuman'), ('responsibility.appointed'), ('rfc.answerOverruled'),
  ('rfc.approved'), ('rfc.changesRequested'), ('rfc.commented'), ('rfc.rejected'), ('rfc.threadReplied'),
  ('rfc.threadResolved'), ('rfc.withdrawn'), ('store.shared'), ('store.unshared'), ('work.deleted');

-- The workspaces of the current login. Reads past row-level security, as its owner does.
create function holdpoint.memberships() returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$ select m.workspace from holdpoint.member m where m.login = session_user $$;

alter table holdpoint.known_format enable row level security;
alter table holdpoint.schema_version enable row level security;
alter table holdpoint.workspace enable row level security;
alter table holdpoint.turn enable row level security;
alter table holdpoint.member enable row level security;
alter table holdpoint.line enable row level security;
alter table holdpoint.human_kind enable row level security;

create policy everyone on holdpoint.schema_version for select using (true);
create policy everyone on holdpoint.human_kind for select using (true);
-- As an array it is computed once for a statement, not once for a row.
create policy members on holdpoint.workspace for select using (id = any (array(select holdpoint.memberships())));
create policy members on holdpoint.member for select using (workspace = any (array(select holdpoint.memberships())));
create policy members on holdpoint.line for select using (workspace = any (array(select holdpoint.memberships())));

grant usage on schema holdpoint to holdpoint_human, holdpoint_agent;
grant select on holdpoint.schema_version, holdpoint.workspace, holdpoint.member, holdpoint.line, holdpoint.human_kind
  to holdpoint_human, holdpoint_agent;

-- A text field of a line, by the rules of readers: 1 to `most` UTF-16 units, not only white space, no control characters.
create function holdpoint.is_text(field jsonb, most int) returns boolean
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  value text := field #>> '{}';
begin
  return jsonb_typeof(field) = 'string'
    and value ~ '[^\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
    and value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'
    and length(value) + length(regexp_replace(value, '[^\U00010000-\U0010ffff]', '', 'g')) <= most;
end $$;

-- The body of a line whose frame and hash are right, as JSON. Raises data_exception otherwise.
create function holdpoint.body_of(bytes bytea) returns jsonb
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  frame text[] := regexp_match(encode(substring(bytes from 1 for 76), 'escape'), '^(\n(\d{1,9}) ([0-9a-f]{64}) )');
  start int := length(frame[1]);
  body bytea;
  content text;
  pair constant text := chr(1);
begin
  if frame is null then
    raise data_exception using message = 'this is not a line';
  end if;
  if frame[2]::int > 1024 * 1024 then
    raise data_exception using message = 'the line is too long';
  end if;
  if octet_length(bytes) <> start + frame[2]::int + 1 or get_byte(bytes, octet_length(bytes) - 1) <> 10 then
    raise data_exception using message = 'the line does not have its stated length';
  end if;
  body := substring(bytes from start + 1 for frame[2]::int);
  if position('\x0a'::bytea in body) > 0 or position('\x01'::bytea in body) > 0 or position('\x00'::bytea in body) > 0 then
    raise data_exception using message = 'the body contains control characters';
  end if;
  if encode(sha256(body), 'hex') <> frame[3] then
    raise data_exception using message = 'the line does not match its hash';
  end if;
  content := convert_from(body, 'UTF8');
  -- jsonb has no null character and no half of a surrogate pair: both become a control character, which no field that is
  -- read here may have. Escaped backslashes step aside meanwhile, so that each escape is seen as what it is.
  if content ~ '\\u(0000|[dD][89a-fA-F])' then
    content := replace(content, '\\', pair);
    content := regexp_replace(content, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\u0001', 'g');
    content := replace(content, pair, '\\');
  end if;
  return content::jsonb;
end $$;

-- Refuses a body that a reader would not count: such a line would leave the server and its readers with different heads.
create function holdpoint.check_body(body jsonb) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  day text[] := regexp_match(body ->> 'time', '^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$');
  actor jsonb := body -> 'actor';
begin
  if jsonb_typeof(body) is distinct from 'object'
    or jsonb_typeof(body -> 'at') is distinct from 'number' or body ->> 'at' !~ '^(0|[1-9][0-9]{0,14})$'
    or jsonb_typeof(body -> 'prev') is distinct from 'string' or body ->> 'prev' !~ '^[0-9a-f]{64}$'
    or jsonb_typeof(body -> 'op') is distinct from 'string'
    or body ->> 'op' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
    or jsonb_typeof(body -> 'time') is distinct from 'string' or day is null
    or make_date(day[1]::int, day[2]::int, day[3]::int) is null
    or jsonb_typeof(actor) is distinct from 'object'
    or jsonb_typeof(actor -> 'kind') is distinct from 'string'
    or actor ->> 'kind' not in ('agent', 'human', 'reviewer', 'system')
    or holdpoint.is_text(actor -> 'id', 100) is not true
    or (actor ? 'session' and holdpoint.is_text(actor -> 'session', 200) is not true)
    or (actor ? 'worktree' and holdpoint.is_text(actor -> 'worktree', 1000) is not true)
    or jsonb_typeof(body -> 'records') is distinct from 'array'
    or jsonb_array_length(body -> 'records') not between 1 and 10000
  then
    raise data_exception using message = 'the body is not that of a line';
  end if;
end $$;

-- What the records of a line ask of readers, or null, and whether the line ends a file. Refuses records of these kinds that
-- readers would read in another way than this function.
create function holdpoint.framing(records jsonb, inout min_reader int, inout seals int, out asks int, out sealed boolean)
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  one jsonb;
  kind text;
begin
  sealed := false;
  for one in select * from jsonb_array_elements(records) loop
    kind := one ->> 'kind';
    if kind in ('workspace.created', 'format.changed', 'segment.sealed') then
      if one -> 'v' is distinct from '1' or sealed then
        raise data_exception using message = format('this record of kind %s is malformed', kind);
      end if;
    end if;
    if kind in ('workspace.created', 'format.changed') then
      if jsonb_typeof(one -> 'minReader') is distinct from 'number' or one ->> 'minReader' !~ '^[1-9][0-9]{0,5}$'
        or jsonb_typeof(one -> 'minWriter') is distinct from 'number' or one ->> 'minWriter' !~ '^[1-9][0-9]{0,5}$'
        or (kind = 'workspace.created') is distinct from (min_reader is null)
        or (kind = 'workspace.created' and (one ->> 'workspace' ~
          '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$') is not true)
      then
        raise data_exception using message = format('this record of kind %s is malformed', kind);
      end if;
      min_reader := greatest(min_reader, (one ->> 'minReader')::int);
      asks := greatest(asks, (one ->> 'minReader')::int, (one ->> 'minWriter')::int);
    elsif kind = 'segment.sealed' then
      if min_reader is null or seals >= 250 then
        raise data_exception using message = 'the journal cannot begin another file';
      end if;
      sealed := true;
      seals := seals + 1;
    end if;
  end loop;
end $$;

-- Waits for the turn, which the transaction keeps to its end. All that writes to a workspace comes through here.
create function holdpoint.lock_turn(target uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  -- An older snapshot would show memberships that have ended.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise invalid_transaction_state using message = 'the isolation level must be read committed';
  end if;
  -- A prepared transaction would keep the turn without a session that could be ended.
  if current_setting('max_prepared_transactions')::int > 0 then
    raise object_not_in_prerequisite_state using message = 'this server allows prepared transactions (max_prepared_transactions)';
  end if;
  perform from holdpoint.turn t where t.workspace = target for update;
end $$;

create function holdpoint.require_member(target uuid, as_kind text default null, as_admin boolean default false) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform from holdpoint.member m
    where m.workspace = target and m.login = session_user and m.kind = coalesce(as_kind, m.kind) and (m.admin or not as_admin);
  if not found then
    raise insufficient_privilege using message = case
      when as_admin then 'this login does not administer this workspace'
      when as_kind is null then 'this login is not a member of this workspace'
      else format('this login is not a member of this workspace as %s', as_kind)
    end;
  end if;
end $$;

-- What became of a call, and the rows from the caller's position on, as far as they fit: one row per row of the journal, at
-- least one. `outcome`: won, lost, duplicate (`at` is where the same act is), forked (the caller's lines are not the server's),
-- tail. `size` and `head` are those of the whole journal.
create type holdpoint.reply as (outcome text, at bigint, size bigint, head text, line_at bigint, line_bytes bytea);

create function holdpoint.reply_from(reply holdpoint.reply, target uuid, from_at bigint, most_rows int) returns setof holdpoint.reply
  language plpgsql stable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  total bigint := 0;
  found_any boolean := false;
begin
  for reply.line_at, reply.line_bytes in
    select l.at, l.bytes from holdpoint.line l
    where l.workspace = target and l.at >= from_at order by l.at limit least(greatest(most_rows, 1), 5000)
  loop
    return next reply;
    found_any := true;
    total := total + octet_length(reply.line_bytes);
    exit when total > 4 * 1024 * 1024;
  end loop;
  if not found_any then
    return next reply;
  end if;
end $$;

-- An agent's id begins with the person of the login that writes it, so that nobody's agents pass for another person's. Other
-- actors have no person, and no id that could be an agent's.
create function holdpoint.require_person(target uuid, actor jsonb) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  whose text := (select m.person from holdpoint.member m where m.workspace = target and m.login = session_user);
  parts text[] := string_to_array(actor ->> 'id', '/');
begin
  if actor ->> 'kind' = 'human' then
    return;
  end if;
  if actor ->> 'kind' <> 'agent' then
    if cardinality(parts) > 1 then
      raise insufficient_privilege using message = 'only an agent has an id with a person';
    end if;
  elsif cardinality(parts) <> 2 or parts[1] is distinct from whose then
    raise insufficient_privilege using message = format('the ids of your agents begin with "%s/" here: join the team again', whose);
  end if;
end $$;

create function holdpoint.append_line(target uuid, line_bytes bytea, by text) returns setof holdpoint.reply
  language plpgsql
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  body jsonb := holdpoint.body_of(line_bytes);
  line_hash text := (regexp_match(encode(substring(line_bytes from 1 for 76), 'escape'), ' ([0-9a-f]{64}) '))[1];
  line_at bigint;
  known holdpoint.workspace;
  earlier bigint;
  refused text;
  frame record;
  line_next bigint;
begin
  perform holdpoint.require_member(target, by);
  perform holdpoint.check_body(body);
  line_at := (body ->> 'at')::bigint;
  if by = 'agent' then
    if body #>> '{actor,kind}' = 'human' then
      raise insufficient_privilege using message = 'an agents'' login cannot write as a human';
    end if;
    select r ->> 'kind' into refused
      from jsonb_array_elements(body -> 'records') r
      where r ? 'envelope' or exists (select from holdpoint.human_kind k where k.kind = r ->> 'kind')
      limit 1;
    if found then
      raise insufficient_privilege using message = format('only a human can write %s', refused);
    end if;
  end if;

  perform holdpoint.lock_turn(target);
  -- The wait may have been long.
  perform holdpoint.require_member(target, by);
  perform holdpoint.require_person(target, body -> 'actor');
  -- An acknowledged line is on disk, whatever the session has set; and a caller that hangs does not keep the turn.
  perform set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local');
  perform set_config('idle_in_transaction_session_timeout', '5s', true);

  select * into known from holdpoint.workspace w where w.id = target;
  if known.opened_at is null then
    raise object_not_in_prerequisite_state using message = 'this workspace is still being filled';
  end if;
  select l.at into earlier from holdpoint.line l where l.workspace = target and l.op = (body ->> 'op')::uuid;
  if found then
    return query select * from holdpoint.reply_from(
      row('duplicate', earlier, known.size, known.head, null, null)::holdpoint.reply, target, line_at, 5000);
    return;
  end if;
  if line_at <> known.size or body ->> 'prev' <> known.head then
    -- Lost: another line begins here and has the same predecessor, so the caller's lines are the server's.
    perform from holdpoint.line l
      where l.workspace = target and l.at = line_at and (l.kind = 'filler' or l.prev = body ->> 'prev');
    return query select * from holdpoint.reply_from(
      row(case when found then 'lost' else 'forked' end, null, known.size, known.head, null, null)::holdpoint.reply,
      target, line_at, 5000);
    return;
  end if;

  select * into frame from holdpoint.framing(body -> 'records', known.min_reader, known.seals);
  -- A program that is too old cannot even read: that is for a human to decide, unless the newest program that prepared
  -- this database knows the format.
  if by = 'agent' and frame.asks > (select f.newest from holdpoint.known_format f) then
    raise insufficient_privilege using
      message = format('an agents'' login cannot ask for format %s here: run "holdpoint team init" again', frame.asks);
  end if;
  -- A seal's line feed is the last byte of its file. The journal goes on in the next file, at the same offset.
  line_next := line_at + octet_length(line_bytes) - case when frame.sealed then 1 else 0 end;
  insert into holdpoint.line (workspace, at, next, kind, op, hash, prev, bytes, login)
    values (target, line_at, line_next, 'line', (body ->> 'op')::uuid, line_hash, known.head, line_bytes, session_user);
  update holdpoint.workspace w
    set size = line_next, head = line_hash, min_reader = frame.min_reader, seals = frame.seals
    where w.id = target;
  -- A hint. Without it listeners notice within seconds, so a full queue stops no program.
  if pg_notification_queue_usage() < 0.5 then
    perform pg_notify('holdpoint_' || target, line_next::text);
  end if;
  return query select 'won', line_at, line_next, line_hash, null::bigint, null::bytea;
end $$;

create function holdpoint.append_agent(target uuid, line_bytes bytea) returns setof holdpoint.reply
  language sql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$ select * from holdpoint.append_line(target, line_bytes, 'agent') $$;

create function holdpoint.append_human(target uuid, line_bytes bytea) returns setof holdpoint.reply
  language sql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$ select * from holdpoint.append_line(target, line_bytes, 'human') $$;

-- The rows from an offset on, for members of any kind.
create function holdpoint.tail(target uuid, from_at bigint, most_rows int) returns setof holdpoint.reply
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
declare
  known holdpoint.reply;
begin
  perform holdpoint.require_member(target);
  select 'tail', null, w.size, w.head, null, null into known from holdpoint.workspace w where w.id = target;
  return query select * from holdpoint.reply_from(known, target, from_at, most_rows);
end $$;

-- Fairness after a lost race: the turn is the caller's to the end of its transaction, in which it reads, decides and appends.
create function holdpoint.take_turn(target uuid, from_at bigint) returns setof holdpoint.reply
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set standard_conforming_strings = on
  as $$
begin
  perform holdpoint.require_member(target);
  perform holdpoint.lock_turn(target);
  perform set_config('idle_in_transaction_session_timeout', '5s', true);
  return query select * from holdpoint.tail(target, from_at, 5000);
end $$;

revoke execute on all functions in schema holdpoint from public;
grant execute on function holdpoint.memberships(), holdpoint.tail(uuid, bigint, int), holdpoint.take_turn(uuid, bigint)
  to holdpoint_human, holdpoint_agent;
grant execute on function holdpoint.append_agent(uuid, bytea) to holdpoint_agent;
grant execute on function holdpoint.append_human(uuid, bytea) to holdpoint_human;

insert into holdpoint.schema_version (version, min_client) values (1, 4);
