import { TestPostgres } from '@firn/sql/testing'
import { run } from './Steps.ts'

/** Returns the folder with the socket of a server. */
export const folderOf = ({ url }: TestPostgres.Server): string => new URL(url).searchParams.get('host') ?? ''

/** Returns the URL of a database on a server. */
export const urlOf = ({ url }: TestPostgres.Server, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Returns the arguments of `pg_basebackup` for a copy of a running server. */
const copy = (server: TestPostgres.Server, data: string, flags: readonly string[]) =>
  ['--pgdata', data, '--host', folderOf(server), '--username=firn', '--checkpoint=fast', ...flags] as const

/**
 * Starts a standby, which replays what the primary server writes. The primary server waits for it, except for
 * batches of several blocks.
 */
export const startStandby = async (primary: TestPostgres.Server): Promise<TestPostgres.Server> => {
  const standby = await TestPostgres.start([], 1, (data, start) =>
    start('pg_basebackup', copy(primary, data, ['--write-recovery-conf'])),
  )
  await sql(primary.url, `alter system set synchronous_standby_names = '*'`)
  await sql(primary.url, 'select pg_reload_conf()')
  return standby
}

/** Makes a standby a primary server. */
export const promote = async (standby: TestPostgres.Server): Promise<void> => {
  await sql(standby.url, 'select pg_promote()')
}

/** Copies a running server into a folder. */
export const backUp = (server: TestPostgres.Server, target: string): Promise<string> =>
  run('pg_basebackup', copy(server, target, []))

/** Runs a statement with `psql` and returns its result. @throws DeployError `DEPLOY_STEP` */
export const sql = (url: string, statement: string): Promise<string> =>
  run('psql', ['--no-psqlrc', '--tuples-only', '--no-align', '--command', statement, url])
