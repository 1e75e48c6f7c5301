create table check_result (kind text primary key, finished_at bigint not null, milliseconds bigint not null,
    is_complete boolean not null, finding_count int not null, findings text[] not null);
