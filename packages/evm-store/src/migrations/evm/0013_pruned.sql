create table pruned (kind text primary key, below bigint not null);
