import type { Session } from './Driver.ts'
import { StoreError } from './StoreError.ts'

/**
 * Checks a schema's fence and locks it until the end of the transaction.
 * @throws StoreError `STORE_FENCED`
 * @example
 * ```ts
 * import { assertFence, type Driver, type Lease } from '@firn/sql'
 *
 * declare const driver: Driver
 * declare const lease: Lease
 * await driver.transaction(async (session) => {
 *   await assertFence(session, lease.fence)
 *   await session.query('delete from cursor')
 * })
 * ```
 */
export async function assertFence(session: Session, fence: bigint): Promise<void> {
  const [found] = await session.query('select fence from writer where fence = $1 for update', [String(fence)])
  if (found !== undefined) return
  throw new StoreError(
    'STORE_FENCED',
    'another process has become the writer of this database; open a new writer to continue',
  )
}
