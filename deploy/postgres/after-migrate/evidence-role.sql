-- A role for api and worker that may append to the evidence and not change it. Run it as PostgreSQL's administrator in
-- Standfast's database, after `standfast migrate` as the owner `standfast`, and once more after each upgrade:
--   psql -v ON_ERROR_STOP=1 -v app_password=… -d standfast -f evidence-role.sql
-- Then DATABASE_URL of api and worker names `standfast_app`; only the migration needs the owner's password.
do $$
begin
  create role standfast_app login;
exception
  when duplicate_object then null;
end
$$;
alter role standfast_app password :'app_password';
grant connect on database :"DBNAME" to standfast_app;
grant usage on schema public, drizzle to standfast_app;
grant select on all tables in schema drizzle to standfast_app;
grant select, insert, update, delete on all tables in schema public to standfast_app;
grant usage, select on all sequences in schema public to standfast_app;
revoke update, delete, truncate on evidence from standfast_app;
