-- A role for api and worker that may append to the evidence and not change it. Run it as PostgreSQL's administrator in
-- Holdpoint's database, after `holdpoint migrate` as the owner `holdpoint`, and once more after each upgrade:
--   psql -v ON_ERROR_STOP=1 -v app_password=… -d holdpoint -f evidence-role.sql
-- Then DATABASE_URL of api and worker names `holdpoint_app`; only the migration needs the owner's password.
do $$
begin
  create role holdpoint_app login;
exception
  when duplicate_object then null;
end
$$;
alter role holdpoint_app password :'app_password';
grant connect on database :"DBNAME" to holdpoint_app;
grant usage on schema public, drizzle to holdpoint_app;
grant select on all tables in schema drizzle to holdpoint_app;
grant select, insert, update, delete on all tables in schema public to holdpoint_app;
grant usage, select on all sequences in schema public to holdpoint_app;
revoke update, delete, truncate on evidence from holdpoint_app;
