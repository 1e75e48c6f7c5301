alter table network add column follows_x_chain boolean not null default true;
