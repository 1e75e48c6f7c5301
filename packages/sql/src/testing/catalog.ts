import type { Session } from '../Driver.ts'

/** An entry of a schema's catalog: a table or partition, a column, a constraint, or an index. */
export interface Entry {
  readonly kind: 'table' | 'column' | 'constraint' | 'index'
  readonly table: string
  /** Name of the column; empty for other kinds. */
  readonly name: string
  /** Definition as SQL, without the schema's name and without names that the database generates. */
  readonly definition: string
}

/**
 * Returns the catalog of a schema: tables with their partitioning and parameters, columns, constraints and
 * indexes. The tables that track the migrations are left out. For tests only.
 */
export async function readCatalog(session: Session, schema: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const statement of [TABLES, COLUMNS, CONSTRAINTS, INDEXES]) {
    const rows = (await session.query(statement, [schema])) as unknown as readonly Entry[]
    entries.push(...rows)
  }
  return entries.map((entry) => ({
    ...entry,
    definition: entry.definition.replaceAll(`${schema}.`, '').replace(/INDEX \S+ ON/, 'INDEX ON'),
  }))
}

const FROM = `from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = $1 and c.relkind in ('r', 'p')
  and c.relname not like 'kysely_%'`

const TABLES = `select 'table' as kind, c.relname as table, '' as name, concat_ws(' ',
    'PARTITION OF ' || (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid),
    pg_get_expr(c.relpartbound, c.oid), 'PARTITION BY ' || pg_get_partkeydef(c.oid), 'WITH ' || c.reloptions::text) as definition
  ${FROM}`

const COLUMNS = `select 'column' as kind, c.relname as table, a.attname as name, concat_ws(' ',
    format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'NOT NULL' end, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
    'STORAGE ' || a.attstorage::text) as definition
  ${FROM} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum`

// Not-null constraints are listed with the columns.
const CONSTRAINTS = `select 'constraint' as kind, c.relname as table, '' as name, pg_get_constraintdef(k.oid) as definition
  ${FROM} join pg_constraint k on k.conrelid = c.oid and k.contype <> 'n'`

const INDEXES = `select 'index' as kind, c.relname as table, '' as name, pg_get_indexdef(x.indexrelid) as definition
  ${FROM} join pg_index x on x.indrelid = c.oid and not x.indisprimary`
