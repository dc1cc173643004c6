-- The shared journal: one row per line, in one order, append-only. "holdpoint team init" runs this as holdpoint_owner, in one
-- transaction; again at any time.
--
-- No role has INSERT, UPDATE or DELETE on any table. Lines enter through append_agent and append_human alone, which check the
-- frame, the hash, the chain and the membership of the login. The functions belong to holdpoint_owner and use session_user,
-- which SET ROLE does not change.

-- All but the rows is made anew, so that nothing else stays in the schema.
do $$
declare
  statement text;
begin
  for statement in
    select format('drop policy %I on %s', p.polname, c.oid::regclass) from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relnamespace = 'holdpoint'::regnamespace
    union all
    select format('drop trigger %I on %s', t.tgname, c.oid::regclass) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'holdpoint'::regnamespace and not t.tgisinternal
    union all
    select format('drop rule %I on %s', r.rulename, c.oid::regclass) from pg_rewrite r join pg_class c on c.oid = r.ev_class
      where c.relnamespace = 'holdpoint'::regnamespace and c.relkind = 'r'
    union all
    select format('drop function %s', p.oid::regprocedure) from pg_proc p where p.pronamespace = 'holdpoint'::regnamespace
    union all
    select format('revoke all on %s from %s', what, case grantee when 0 then 'public' else grantee::regrole::text end) from (
      select c.oid::regclass::text as what, a.grantee from pg_class c, aclexplode(c.relacl) a
        where c.relnamespace = 'holdpoint'::regnamespace and a.grantee <> c.relowner
      union all
      select 'schema holdpoint', a.grantee from pg_namespace n, aclexplode(n.nspacl) a
        where n.nspname = 'holdpoint' and a.grantee <> n.nspowner) rights
  loop
    execute statement;
  end loop;
end $$;
drop type if exists holdpoint.reply;
drop table if exists holdpoint.turn, holdpoint.known_format, holdpoint.human_kind;

create table if not exists holdpoint.schema_version (
  version int primary key,
  -- The oldest schema whose programs can still work with this one.
  min_client int not null,
  applied_at timestamptz not null default now()
);
insert into holdpoint.schema_version (version, min_client) values (6, 6) on conflict do nothing;
delete from holdpoint.schema_version where version < 6;

-- The lock of its row orders what is written: no role but the owner can take it. (Any login could take an advisory lock.)
create table if not exists holdpoint.workspace (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  created_at timestamptz not null default now(),
  -- Null while lines of a local journal are being copied in: until then there are no appends.
  opened_at timestamptz,
  -- Offset of the next line, and the hash of the last one.
  size bigint not null default 0 check (size between 0 and 9007199254740991),
  head text not null default repeat('0', 64) check (head ~ '^[0-9a-f]{64}$'),
  -- How many files of the journal are full.
  seals int not null default 0
) with (fillfactor = 50);

-- A login's membership. An agents' login belongs to the person who runs them.
create table if not exists holdpoint.member (
  workspace uuid not null references holdpoint.workspace,
  login name not null,
  kind text not null check (kind in ('human', 'agent')),
  -- Part of the ids of the person's agents.
  person text not null check (length(person) between 1 and 64 and person !~ '[[:cntrl:]/]'),
  admin boolean not null default false check (kind = 'human' or not admin),
  primary key (workspace, login)
);
-- Two people of one name would have the same agents.
create unique index if not exists member_person on holdpoint.member (workspace, kind, lower(person));

create table if not exists holdpoint.line (
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

-- The key ring of a workspace: records that root keys sign. Programs verify the signatures, pin the root keys on each machine,
-- and ignore rows that are not the next record of the chain; the server keeps the order of rows, valid or not.
create table if not exists holdpoint.ring (
  workspace uuid not null references holdpoint.workspace,
  -- Of the row; the record's own is that of the chain.
  seq int not null check (seq >= 0),
  hash text not null,
  record bytea not null,
  login name not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (workspace, seq)
);

-- The workspaces of the current login. Reads past row-level security, as its owner does.
create function holdpoint.memberships() returns setof uuid language sql stable security definer
  as $$ select m.workspace from holdpoint.member m where m.login = session_user $$;

alter table holdpoint.schema_version enable row level security;
alter table holdpoint.workspace enable row level security;
alter table holdpoint.member enable row level security;
alter table holdpoint.line enable row level security;
alter table holdpoint.ring enable row level security;

create policy everyone on holdpoint.schema_version for select using (true);
-- As an array it is computed once for a statement, not once for a row.
create policy members on holdpoint.workspace for select using (id = any (array(select holdpoint.memberships())));
create policy members on holdpoint.member for select using (workspace = any (array(select holdpoint.memberships())));
create policy members on holdpoint.line for select using (workspace = any (array(select holdpoint.memberships())));
create policy members on holdpoint.ring for select using (workspace = any (array(select holdpoint.memberships())));

-- A text field of a line, by the rules of readers: 1 to `most` UTF-16 units, not only white space, no control characters.
create function holdpoint.is_text(field jsonb, most int) returns boolean language plpgsql as $$
declare
  value text := field #>> '{}';
begin
  return jsonb_typeof(field) = 'string'
    and value ~ '[^\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
    and value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'
    and length(value) + length(regexp_replace(value, '[^\U00010000-\U0010ffff]', '', 'g')) <= most;
end $$;

-- The body of a line as JSON. Raises data_exception for a line that a reader would not count: it would leave the server and
-- its readers with different heads.
create function holdpoint.body_of(bytes bytea) returns jsonb language plpgsql as $$
declare
  frame text[] := regexp_match(encode(substring(bytes from 1 for 76), 'escape'), '^(\n(\d{1,9}) ([0-9a-f]{64}) )');
  start int := length(frame[1]);
  content bytea;
  told text;
  pair constant text := chr(1);
  body jsonb;
  actor jsonb;
  day text[];
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
  content := substring(bytes from start + 1 for frame[2]::int);
  if position('\x0a'::bytea in content) > 0 or position('\x01'::bytea in content) > 0 or position('\x00'::bytea in content) > 0 then
    raise data_exception using message = 'the body contains control characters';
  end if;
  if encode(sha256(content), 'hex') <> frame[3] then
    raise data_exception using message = 'the line does not match its hash';
  end if;
  told := convert_from(content, 'UTF8');
  -- jsonb has no null character and no half of a surrogate pair: both become a control character, which no field that is
  -- read here may have. Escaped backslashes step aside meanwhile, so that each escape is seen as what it is.
  if told ~ '\\u(0000|[dD][89a-fA-F])' then
    told := replace(told, '\\', pair);
    told := regexp_replace(told, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\u0001', 'g');
    told := replace(told, pair, '\\');
  end if;
  body := told::jsonb;
  actor := body -> 'actor';
  day := regexp_match(body ->> 'time', '^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$');
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
  return body;
end $$;

create function holdpoint.require_member(target uuid, as_kind text, as_admin boolean) returns void language plpgsql as $$
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
  -- An older snapshot would show memberships that have ended.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise invalid_transaction_state using message = 'the isolation level must be read committed';
  end if;
end $$;

-- Locks a workspace to the end of the transaction. All that writes lines or keys comes through here. Administrators alone fill
-- one that is not open yet.
create function holdpoint.locked(target uuid, as_kind text, as_open boolean, as_admin boolean) returns holdpoint.workspace
  language plpgsql as $$
declare
  known holdpoint.workspace;
begin
  perform holdpoint.require_member(target, as_kind, as_admin);
  select * into known from holdpoint.workspace w where w.id = target for no key update;
  -- The wait may have been long.
  perform holdpoint.require_member(target, as_kind, as_admin);
  -- An acknowledged line is on disk, whatever the session has set; and a caller that hangs does not keep the lock.
  perform set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local');
  perform set_config('idle_in_transaction_session_timeout', '5s', true);
  if (known.opened_at is not null) is distinct from as_open then
    raise object_not_in_prerequisite_state using message = case
      when as_open then 'this workspace is still being filled' else 'this workspace is open: it cannot be filled again' end;
  end if;
  return known;
end $$;

-- What became of a call, and the rows from the caller's position on, as far as they fit: one row per row of the journal, at
-- least one. `outcome`: won, lost, duplicate (`at` is where the same act is), forked (the caller's lines are not the server's),
-- tail. `size` and `head` are those of the whole journal.
create type holdpoint.reply as (outcome text, at bigint, size bigint, head text, line_at bigint, line_bytes bytea);

create function holdpoint.reply_from(reply holdpoint.reply, target uuid, from_at bigint, most_rows int) returns setof holdpoint.reply
  language plpgsql as $$
declare
  total bigint := 0;
begin
  for reply.line_at, reply.line_bytes in
    select l.at, l.bytes from holdpoint.line l
    where l.workspace = target and l.at >= from_at order by l.at limit least(greatest(most_rows, 1), 5000)
  loop
    return next reply;
    total := total + octet_length(reply.line_bytes);
    exit when total > 4 * 1024 * 1024;
  end loop;
  if not found then
    return next reply;
  end if;
end $$;

-- Adds a line at the workspace's end. Returns the workspace as it is then. Refuses what would keep readers from going on
-- where this function does: formats that they do not know, and seals that not all of them count.
create function holdpoint.put_line(known holdpoint.workspace, body jsonb, line_bytes bytea) returns holdpoint.workspace
  language plpgsql as $$
declare
  one jsonb;
  seals int := 0;
  line_at constant bigint := known.size;
begin
  for one in select r from jsonb_array_elements(body -> 'records') r
    where r ->> 'kind' in ('workspace.created', 'format.changed', 'segment.sealed')
  loop
    -- The newest format that this version of Holdpoint reads.
    if one -> 'minReader' > '13' or one -> 'minWriter' > '13' then
      raise insufficient_privilege using
        message = 'this database does not know the format that the line asks for: run "holdpoint team init" again';
    end if;
    if one ->> 'kind' = 'segment.sealed' then
      if one -> 'v' is distinct from '1' or jsonb_array_length(body -> 'records') > 1 or known.seals >= 250 then
        raise data_exception using message = 'the journal cannot begin another file with this line';
      end if;
      seals := 1;
    end if;
  end loop;
  -- A seal's line feed is the last byte of its file. The journal goes on in the next file, at the same offset.
  known.seals := known.seals + seals;
  known.size := line_at + octet_length(line_bytes) - seals;
  known.head := substring(encode(substring(line_bytes from 1 for 76), 'escape') from ' ([0-9a-f]{64}) ');
  insert into holdpoint.line (workspace, at, next, kind, op, hash, prev, bytes, login)
    values (known.id, line_at, known.size, 'line', (body ->> 'op')::uuid, known.head, body ->> 'prev', line_bytes, session_user);
  return known;
end $$;

-- A hint. Without it listeners notice within seconds, so a full queue stops no program.
create function holdpoint.notify(target uuid, what text) returns void language sql as $$
  select pg_notify('holdpoint_' || target, what) where pg_notification_queue_usage() < 0.5 $$;

-- An agent's id begins with the person of the login that writes it, so that nobody's agents pass for another person's. Other
-- actors have no person, and no id that could be an agent's.
create function holdpoint.require_person(target uuid, actor jsonb) returns void language plpgsql as $$
declare
  parts text[] := string_to_array(actor ->> 'id', '/');
begin
  if actor ->> 'kind' in ('reviewer', 'system') and cardinality(parts) > 1 then
    raise insufficient_privilege using message = 'only an agent has an id with a person';
  end if;
  perform from holdpoint.member m
    where m.workspace = target and m.login = session_user and cardinality(parts) = 2 and parts[1] = m.person;
  if actor ->> 'kind' = 'agent' and not found then
    raise insufficient_privilege using message = format('the ids of your agents begin with "%s/" here: join the team again',
      (select m.person from holdpoint.member m where m.workspace = target and m.login = session_user));
  end if;
end $$;

create function holdpoint.append_line(target uuid, line_bytes bytea, by text) returns setof holdpoint.reply language plpgsql as $$
declare
  body jsonb := holdpoint.body_of(line_bytes);
  line_at constant bigint := (body ->> 'at')::bigint;
  actor text := body #>> '{actor,kind}';
  known holdpoint.workspace;
  earlier bigint;
  refused text;
begin
  perform holdpoint.require_member(target, by, false);
  if by = 'agent' and actor = 'human' then
    raise insufficient_privilege using message = 'an agents'' login cannot write as a human';
  end if;
  -- The second is another lock: the fold does not count them without a signature either.
  select r ->> 'kind' into refused from jsonb_array_elements(body -> 'records') r
    where by = 'agent' and (r ? 'envelope' or r ->> 'kind' = any (array[
      'answer.revoked', 'event.closedByHuman', 'event.postedByHuman', 'event.proposalDeclined', 'hold.changeAccepted',
      'hold.narrowed', 'hold.widened', 'journal.lineSetAside', 'journal.restored', 'journal.startedAnew', 'key.enrolled',
      'key.lost', 'key.passkeyAdded', 'key.passkeyRenamed', 'key.retired', 'key.rotated', 'key.trusted', 'policy.changed',
      'question.answered', 'question.askedBack', 'question.cancelled', 'question.released', 'refusal.lifted',
      'request.createdByHuman', 'request.movedByHuman', 'request.stepRecordedByHuman', 'responsibility.appointed',
      'rfc.answerOverruled', 'rfc.approved', 'rfc.changesRequested', 'rfc.commented', 'rfc.rejected', 'rfc.threadReplied',
      'rfc.threadResolved', 'rfc.withdrawn', 'store.shared', 'store.unshared', 'work.deleted']))
    limit 1;
  if found then
    raise insufficient_privilege using message = format('only a human can write %s', refused);
  end if;

  known := holdpoint.locked(target, by, true, false);
  perform holdpoint.require_person(target, body -> 'actor');

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
  known := holdpoint.put_line(known, body, line_bytes);
  update holdpoint.workspace w set size = known.size, head = known.head, seals = known.seals where w.id = target;
  perform holdpoint.notify(target, known.size::text);
  return query select 'won', line_at, known.size, known.head, null::bigint, null::bytea;
end $$;

create function holdpoint.append_agent(target uuid, line_bytes bytea) returns setof holdpoint.reply
  language sql security definer as $$ select * from holdpoint.append_line(target, line_bytes, 'agent') $$;

create function holdpoint.append_human(target uuid, line_bytes bytea) returns setof holdpoint.reply
  language sql security definer as $$ select * from holdpoint.append_line(target, line_bytes, 'human') $$;

-- The rows from an offset on, for members of any kind.
create function holdpoint.tail(target uuid, from_at bigint, most_rows int) returns setof holdpoint.reply
  language plpgsql security definer as $$
declare
  known holdpoint.reply;
begin
  perform holdpoint.require_member(target, null, false);
  select 'tail', null, w.size, w.head, null, null into known from holdpoint.workspace w where w.id = target;
  return query select * from holdpoint.reply_from(known, target, from_at, most_rows);
end $$;

-- Workspaces come from a human's login, who becomes the first administrator. A local journal moves in byte for byte: rows are
-- added while the workspace is being filled, then it is opened, once.
create function holdpoint.create_workspace(target uuid, called text, person text) returns void
  language plpgsql security definer as $$
begin
  insert into holdpoint.workspace (id, name) values (target, called);
  insert into holdpoint.member (workspace, login, kind, person, admin) values (target, session_user, 'human', person, true);
end $$;

-- Adds rows at `from_at`, where the workspace ends so far. Returns its new end.
create function holdpoint.import_lines(target uuid, from_at bigint, kinds text[], rows bytea[]) returns bigint
  language plpgsql security definer as $$
declare
  known holdpoint.workspace := holdpoint.locked(target, 'human', false, true);
  body jsonb;
  item record;
  -- After a filler the chain goes on where a human decided that it does. Programs verify that signature.
  after_filler boolean;
begin
  if from_at is distinct from known.size then
    raise data_exception using message = format('the rows do not begin at %s, where the workspace ends', known.size);
  end if;
  after_filler := coalesce((select l.kind = 'filler' from holdpoint.line l
    where l.workspace = target order by l.at desc limit 1), false);
  -- Not by subscripts, each of which would read the array from its beginning.
  for item in select u.* from unnest(kinds, rows) with ordinality as u(kind, bytes, nr) order by u.nr loop
    if item.kind = 'filler' then
      if octet_length(item.bytes) > 1024 * 1024 then
        raise data_exception using message = format('the row at %s is too long', known.size);
      end if;
      insert into holdpoint.line (workspace, at, next, kind, bytes, login)
        values (target, known.size, known.size + octet_length(item.bytes), 'filler', item.bytes, session_user);
      known.size := known.size + octet_length(item.bytes);
    else
      body := holdpoint.body_of(item.bytes);
      if (body ->> 'at')::bigint <> known.size or (body ->> 'prev' <> known.head and not after_filler) then
        raise data_exception using message = format('the line at %s does not follow the line before it', known.size);
      end if;
      known := holdpoint.put_line(known, body, item.bytes);
    end if;
    after_filler := item.kind = 'filler';
  end loop;
  update holdpoint.workspace w set size = known.size, head = known.head, seals = known.seals where w.id = target;
  return known.size;
end $$;

-- From here on the server decides. The caller states what it has, so that a half-filled workspace is never opened.
create function holdpoint.open_workspace(target uuid, expected_size bigint, expected_head text) returns void
  language plpgsql security definer as $$
declare
  known holdpoint.workspace := holdpoint.locked(target, 'human', false, true);
begin
  if known.size is distinct from expected_size or known.head is distinct from expected_head then
    raise data_exception using message = 'the workspace does not hold what was copied: its end or its last hash differ';
  end if;
  update holdpoint.workspace w set opened_at = clock_timestamp() where w.id = target;
end $$;

-- The login exists already (`holdpoint team init` creates it) and has exactly one of the two groups.
create function holdpoint.add_member(target uuid, who name, as_kind text, person text) returns void
  language plpgsql security definer as $$
declare
  other text := case as_kind when 'human' then 'agent' else 'human' end;
begin
  perform holdpoint.require_member(target, 'human', true);
  perform from pg_roles r
    where r.rolname = who and r.rolcanlogin and as_kind in ('human', 'agent')
      and pg_has_role(r.oid, 'holdpoint_' || as_kind, 'member') and not pg_has_role(r.oid, 'holdpoint_' || other, 'member');
  if not found then
    raise invalid_parameter_value using message = format('there is no login %s for this (%s)', who, as_kind);
  end if;
  insert into holdpoint.member (workspace, login, kind, person) values (target, who, as_kind, add_member.person)
    on conflict (workspace, login) do update set person = excluded.person where member.kind = excluded.kind;
  if not found then
    raise invalid_parameter_value using message = 'a login stays of its kind';
  end if;
exception
  when unique_violation then
    raise invalid_parameter_value using message = format('another login here is %s''s: this person needs another name', person);
end $$;

create function holdpoint.remove_member(target uuid, who name) returns void language plpgsql security definer as $$
begin
  perform holdpoint.require_member(target, 'human', true);
  -- Who created the workspace administers it; the owner of the database alone makes and removes other administrators.
  delete from holdpoint.member m where m.workspace = target and m.login = who and not m.admin;
  if not found then
    raise invalid_parameter_value using message = format('%s is not a member of this workspace who can be removed', who);
  end if;
end $$;

-- `won`, `duplicate` (this very record is there), or `lost` (there are not as many rows as the caller has read).
create function holdpoint.append_ring(target uuid, entry bytea, after int) returns text
  language plpgsql security definer as $$
declare
  entry_hash text := encode(sha256(entry), 'hex');
  known record;
begin
  perform holdpoint.locked(target, 'human', true, true);
  if octet_length(entry) > 16 * 1024 then
    raise data_exception using message = 'the record is too long';
  end if;
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
  perform holdpoint.notify(target, 'ring');
  return 'won';
end $$;

-- What logins may call pins every setting of the caller that could change what its text means.
do $$
declare
  one regprocedure;
begin
  for one in select p.oid from pg_proc p where p.pronamespace = 'holdpoint'::regnamespace loop
    execute format('revoke execute on function %s from public', one);
    execute format('alter function %s set search_path = pg_catalog, pg_temp', one);
    execute format('alter function %s set standard_conforming_strings = on', one);
  end loop;
end $$;
grant usage on schema holdpoint to holdpoint_human, holdpoint_agent;
grant select on all tables in schema holdpoint to holdpoint_human, holdpoint_agent;
grant execute on function holdpoint.memberships(), holdpoint.tail(uuid, bigint, int) to holdpoint_human, holdpoint_agent;
grant execute on function holdpoint.append_agent(uuid, bytea) to holdpoint_agent;
grant execute on function holdpoint.append_human(uuid, bytea), holdpoint.create_workspace(uuid, text, text),
  holdpoint.import_lines(uuid, bigint, text[], bytea[]), holdpoint.open_workspace(uuid, bigint, text),
  holdpoint.add_member(uuid, name, text, text), holdpoint.remove_member(uuid, name),
  holdpoint.append_ring(uuid, bytea, int) to holdpoint_human;
