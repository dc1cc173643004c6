-- Puts back what a restored server lacks, from this machine's copy: lines of the journal, then records of the key ring. Run it
-- with psql in the clone, as docs/team.md says. All of it or nothing; the server checks each line, and machines each signature.
\set ON_ERROR_STOP on
\set ring `cat "$RING"`
begin;
select id as workspace from holdpoint.workspace where name = :'name' \gset
create temp table copied (nr serial, line text);
\copy copied (line) from program 'grep -ahE "^[0-9]+ [0-9a-f]{64} [{]" .holdpoint/journal/0*.jsonl' (format csv, delimiter E'\x02', quote E'\x01')
select holdpoint.import_lines(:'workspace', (select size from holdpoint.workspace where id = :'workspace'),
    array_agg('line'::text order by nr), array_agg(convert_to(E'\n' || line || E'\n', 'UTF8') order by nr)) as size
  from copied where split_part(line, ' ', 2) not in (select hash from holdpoint.line where hash is not null) having count(*) > 0;
select holdpoint.open_workspace(id, size, head) from holdpoint.workspace where id = :'workspace';
select holdpoint.append_ring(:'workspace', convert_to(record, 'UTF8'),
    (rows + row_number() over (order by nr) - 1)::int) as key
  from (select count(*) as rows from holdpoint.ring where workspace = :'workspace') there,
    json_array_elements_text(:'ring'::json -> 'records') with ordinality as own (record, nr)
  where encode(sha256(convert_to(record, 'UTF8')), 'hex') not in (select hash from holdpoint.ring);
commit;
