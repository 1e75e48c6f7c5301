alter table webhook add column secret_encoding text not null default 'text';
