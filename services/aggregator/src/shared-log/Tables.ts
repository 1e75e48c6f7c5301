import type { JobTable } from '@firn/jobs'
import type { Database } from './Database.ts'
import type { Query } from './Server.ts'

/**
 * Migrations of the schema `firn_aggregator` in order. They are frozen: a change of the tables is a further
 * migration.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table firn_aggregator.message (
      message_id bytea primary key,
      source_chain bytea not null,
      unsigned_message bytea not null,
      stored_at timestamptz not null default clock_timestamp()
    )`,
    'create index message_by_time on firn_aggregator.message (stored_at, message_id)',
    'create index message_by_chain on firn_aggregator.message (source_chain, stored_at, message_id)',
    `create table firn_aggregator.signature (
      message_id bytea not null references firn_aggregator.message on delete cascade,
      public_key bytea not null,
      signature bytea not null,
      stored_at timestamptz not null default clock_timestamp(),
      primary key (message_id, public_key)
    )`,
    `create table firn_aggregator.signed_message (
      message_id bytea not null references firn_aggregator.message on delete cascade,
      subnet_id bytea not null,
      p_chain_height bigint not null,
      quorum_percentage smallint not null,
      signed_message bytea not null,
      signed_weight numeric(20) not null,
      needed_weight numeric(20) not null,
      total_weight numeric(20) not null,
      report jsonb,
      stored_at timestamptz not null default clock_timestamp(),
      primary key (message_id, subnet_id, p_chain_height)
    )`,
    'create index signed_message_by_height on firn_aggregator.signed_message (p_chain_height)',
    // Claims matter for seconds only, so they need not survive a crash of the server.
    `create unlogged table firn_aggregator.claim (
      request bytea not null,
      node_id bytea not null,
      holder text not null,
      expires_at timestamptz not null,
      answered_at timestamptz,
      answer jsonb,
      primary key (request, node_id)
    ) with (fillfactor = 50)`,
    'create index claim_by_expiry on firn_aggregator.claim (expires_at)',
  ],
  [
    `create table firn_aggregator.job (
      id text primary key,
      owner text,
      caller text not null,
      task text not null,
      created_at timestamptz not null default clock_timestamp(),
      attempt integer not null default 1,
      holder text not null,
      leased_until timestamptz not null,
      progress text,
      is_done boolean,
      body text,
      finished_at timestamptz
    )`,
    'create index job_by_lease on firn_aggregator.job (leased_until) where finished_at is null',
    'create index job_by_end on firn_aggregator.job (finished_at) where finished_at is not null',
  ],
]

/**
 * Creates the schema and brings its tables up to date, in the transaction of `query`. Several processes may call it
 * at the same time; they wait for each other.
 */
export async function migrate(query: Query): Promise<void> {
  await query(`select pg_advisory_xact_lock(hashtextextended('firn_aggregator', 0))`)
  await query('create schema if not exists firn_aggregator')
  await query(
    'create table if not exists firn_aggregator.migration (number integer primary key, applied_at timestamptz not null default now())',
  )
  const [row] = await query('select count(*)::integer as count from firn_aggregator.migration')
  const done = Number(row?.['count'])
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < done) continue
    for (const statement of statements) await query(statement)
    await query('insert into firn_aggregator.migration (number) values ($1)', [index + 1])
  }
}

/** Returns the table of jobs in the database of the fleet. */
export function jobTable({ run }: Pick<Database, 'run'>): JobTable {
  return { name: 'firn_aggregator.job', run: (text, values) => run(text, values) }
}
