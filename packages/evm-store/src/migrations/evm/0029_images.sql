create table token_image (contract bytea not null, token_id numeric not null, hash bytea, failure text, attempts int not null, retry_at bigint, primary key (contract, token_id));
create index on token_image (retry_at) where retry_at is not null;
create index on token_image (hash) where hash is not null;
create table image (hash bytea not null, content_type text not null, width int not null, height int not null, size int not null, stored_at bigint not null, bytes bytea not null, primary key (hash));
alter table image alter column bytes set storage external;
create index on image (stored_at, hash, size);
