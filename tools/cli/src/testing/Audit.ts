import type { EvmStore } from '@firn/evm-store'
import type { Store } from '@firn/store'

/** A commit as recorded by the database. For tests only. */
export interface AuditedCommit {
  readonly fence: bigint
  /** Holder of the lease. */
  readonly holder: string | null
  /** Id of the connection that committed, unique among open connections. */
  readonly connection: string
}

const STATEMENTS = [
  `create table audit (id bigserial primary key, fence bigint not null, holder text, connection text not null)`,
  `create function audit() returns trigger language plpgsql as $$ begin
    insert into audit (fence, holder, connection)
      select w.fence, l.holder, a.pid || ' ' || a.backend_start
      from writer w, lease l, pg_stat_activity a where a.pid = pg_backend_pid();
    return null;
  end $$`,
  // The trigger is on the cursor table, because each commit updates its cursors last.
  'create trigger audit after insert or update on cursor for each statement execute function audit()',
]

/** Installs a trigger that records each commit to a schema. For tests only. */
export const install = async ({ driver, schema }: Store | EvmStore): Promise<void> =>
  driver.transaction(async (session) => {
    await session.query(`set local search_path to ${schema}`)
    for (const statement of STATEMENTS) await session.query(statement)
    // The function also runs in sessions with another search path, so its own path is fixed to this schema.
    await session.query(`alter function audit() set search_path to ${schema}, pg_catalog`)
  })

/** Returns the recorded commits in order. For tests only. */
export const read = async ({ driver }: Store | EvmStore): Promise<readonly AuditedCommit[]> =>
  driver.transaction(async (session) => {
    const rows = await session.query('select fence, holder, connection from audit order by id')
    return rows as unknown as readonly AuditedCommit[]
  })

/** Returns all violations of the rule that only one process writes at a time. For tests only. */
export const faults = (commits: readonly AuditedCommit[]): readonly string[] => {
  const found: string[] = []
  const holders = new Map<bigint, string | null>()
  const owners = new Map<string, string | null>()
  let last = 0n
  for (const { fence, holder, connection } of commits) {
    if (fence < last) found.push(`a commit with fence ${fence} after one with ${last}`)
    last = fence
    if (!holders.has(fence)) holders.set(fence, holder)
    if (holders.get(fence) !== holder)
      found.push(`fence ${fence} is used by both ${holders.get(fence)} and ${holder}`)
    if (!owners.has(connection)) owners.set(connection, holder)
    if (owners.get(connection) !== holder) {
      found.push(`a commit by ${owners.get(connection)} while ${holder} held the lease`)
    }
  }
  return found
}
