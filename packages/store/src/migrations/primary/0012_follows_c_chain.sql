alter table network add column follows_c_chain boolean not null default true;
